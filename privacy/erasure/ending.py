"""The end of an erasure: the profile goes, and the receipt is written."""

from collections.abc import Sequence
from datetime import datetime

from privacy.erasure.leaver import Handled, Leaver
from privacy.erasure.terms import (
    BACKUPS_KEPT,
    HANDLE_KEPT,
    RECEIPT_KEPT,
    Kept,
    next_search,
)
from privacy.models import Erasure, Receipt, State
from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.table import keys, reading
from socialsite.table.actions import Erase, Put, WriteAction

SEARCH = "search-for-erased"  # the kind of the due item


def ending(leaver: Leaver, counts: Handled, reads: float, writes: float) -> Sequence[WriteAction]:
    """Returns what is written with the end of the job, or not at all. One consistent GetItem of the receipt, 1 read
    unit; 16 write units with the job."""
    now = utc_now()
    receipt = reading.get(Receipt, keys.receipt(leaver.receipt_id), consistent=True)
    receipt.state = State.ERASED
    receipt.erased_at = now.isoformat(timespec="seconds")
    receipt.counts = {**counts, "pictures": leaver.pictures}
    receipt.kept = [*(receipt.kept or ()), *_kept(leaver, counts, now)]
    receipt.reads, receipt.writes = round(reads), round(writes)
    receipt.ttl = now + RECEIPT_KEPT
    erasure = Erasure.new(user_id=leaver.user_id, receipt_id=leaver.receipt_id)
    erasure.erased_at = receipt.erased_at
    return [
        Erase(keys.user_info(leaver.user_id)),
        Erase(keys.user_count(leaver.user_id)),
        Erase(keys.user_settings(leaver.user_id)),
        Erase(keys.bell(leaver.user_id)),
        Put(receipt),
        Put(erasure),
        plan(SEARCH, moment=next_search(now), subject=leaver.receipt_id),
    ]


def _kept(leaver: Leaver, counts: Handled, now: datetime) -> Kept:
    kept: Kept = [("handle", (now + HANDLE_KEPT).isoformat(timespec="seconds"))]
    if counts["evidence"]:
        kept.append(("evidence", leaver.evidence_until.isoformat(timespec="seconds")))
    if counts["evidence"] or leaver.role:
        kept.append(("log", ""))
    if leaver.role:
        kept.append(("decisions", ""))
    if counts["reports"]:
        kept.append(("reports", ""))
    if counts["posts"]:
        kept.append(("places", ""))
    night = next_search(now)
    kept.append(("copies", night.isoformat(timespec="seconds")))
    kept.append(("backups", (night + BACKUPS_KEPT).isoformat(timespec="seconds")))
    return kept
