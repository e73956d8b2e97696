"""Receipts, as their page shows them."""

from dataclasses import dataclass

from accounts.cards import count_text, moment_text
from privacy.erasure.job import NAMES, Progress
from privacy.erasure.words import count_words, kept_words
from privacy.models import Receipt, State
from socialsite.clock import utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """What the page says. `percent` is how far the erasure is, while it is under way."""

    can_be_kept: bool  # until the moment of the erasure, not until the clock gets to it
    is_busy: bool
    asked_at: str
    closing: str
    erased_at: str
    searched_at: str
    percent: int
    counts: list[tuple[str, str]]  # what was deleted, and how many
    kept: list[tuple[str, str]]  # what stays, and until when
    reads: str
    writes: str


@access_pattern
def get_receipt(receipt_id: str) -> ReceiptPage:
    """Returns a receipt, with the progress of the job. Raises `NotFound`. One consistent BatchGetItem, 2 read units."""
    key, job_key = keys.receipt(receipt_id), keys.job(JobKind.ERASE, receipt_id)
    found = fetch([key, job_key], consistent=True)
    if key not in found:
        raise NotFound("no such receipt")
    receipt = as_model(Receipt, found[key])
    progress = Progress.from_cursor(row(Job, found.get(job_key, {})).cursor)
    is_under_way = receipt.state == State.BEGUN
    can_be_kept = receipt.state == State.PLANNED and receipt.closing > utc_now_iso()
    counts = progress.counts if is_under_way else (receipt.counts or {})
    return ReceiptPage(
        can_be_kept=can_be_kept,
        is_busy=receipt.state in (State.PLANNED, State.BEGUN) and not can_be_kept,
        asked_at=moment_text(receipt.asked_at),
        closing=moment_text(receipt.closing),
        erased_at=moment_text(receipt.erased_at or ""),
        searched_at=moment_text(receipt.searched_at or ""),
        percent=100 * progress.phase // len(NAMES),
        counts=[
            (word, count_text(counts[kind])) for kind, word in count_words() if counts.get(kind)
        ],
        kept=[
            (text, moment_text(until))
            for kind, until in receipt.kept or ()
            for text in kept_words(kind)
        ],
        reads=count_text(int(receipt.reads)),
        writes=count_text(int(receipt.writes)),
    )
