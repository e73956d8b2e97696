"""The audit log: everything that staff do, in a chain of hashes, written in the transaction that does it.

Each entry's hash covers its content and the hash before it, with a key that the table does not hold. Altering,
dropping, reordering or forking entries in the table breaks the chain, and `manage.py audit_log verify` names the place
(`chain.py`). `AuditHead` says where the chain ends. If two transactions move it at once, the second tries again.
`docs/audit-log.md` says what the log proves.
"""

import hashlib
import hmac
import json
import logging
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from accounts.encryption.site_keys import AUDIT_LOG
from moderation.models import AuditEntry, AuditHead
from socialsite.clock import utc_now_iso
from socialsite.data_keys import current_key
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    AlreadyExists,
    Change,
    Conflict,
    Create,
    NotFound,
    WriteAction,
    access_pattern,
    create,
    keys,
    reading,
    transact,
)

OPERATOR = "operator"  # who acted, of what `manage.py` does
TRIES = 24  # other staff may write at the same moment

log = logging.getLogger(__name__)


class _HeadMoved(AlreadyExists):
    """Someone else's entry came first."""


@access_pattern
def record(
    *actions: WriteAction,
    by: str,
    action: str,
    case: str = "",
    person_id: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Does the actions and enters them in the audit log, all or nothing. `by` is the id of the person who acts.

    One consistent GetItem of the head, 1 read unit, then one TransactWriteItems of the actions with head and entry: 4
    write units more than the actions. Raises what the actions raise, and `Conflict` if others keep moving the head.
    """
    record_made(
        lambda: actions, by=by, action=action, case=case, person_id=person_id, detail=detail
    )


def record_made(
    make_actions: Callable[[], Sequence[WriteAction]],
    *,
    by: str,
    action: str,
    case: str = "",
    person_id: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Like `record`, but builds the actions again for each try."""

    def write(*entry: WriteAction) -> bool:
        # The actions come first, so that their own errors win over a moved head.
        transact(*make_actions(), *entry)
        return True

    record_with(write, by=by, action=action, case=case, person_id=person_id, detail=detail)


def record_with(
    write: Callable[..., bool],
    *,
    by: str,
    action: str,
    case: str = "",
    person_id: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Like `record`, for a service with its own transaction. `write` gets the entry's actions, does them together with
    its own, and returns whether anything changed. It is called again for each try."""
    for attempt in range(TRIES):
        head = _head()
        at = _time_after(head)
        entry = AuditEntry.new(
            month=at[:7],
            number=int(head.number) + 1,
            at=at,
            moderator_id=by,
            action=action,
            case=case or None,
            person_id=person_id or None,
            detail=detail or None,
            previous=head.hash,
            hash="",
        )
        entry.hash = hash_of(entry)
        try:
            is_done = write(_moved(head, entry), Create(entry, _HeadMoved))
        except _HeadMoved:
            time.sleep(random.uniform(0, 0.005 * (attempt + 1)))  # or slow writers never get in
            continue
        if is_done:
            # The operator's own log is the witness that the table cannot turn back.
            log.info("audit log is at %d:%s", entry.number, entry.hash)
            note_event(Event.STAFF_ACTED, account=by, action=action, case=case, person=person_id)
        return
    raise Conflict("others keep writing to the audit log")


def hash_of(entry: AuditEntry, secret: bytes | None = None) -> str:
    """Returns the HMAC-SHA256 of the entry's content and the hash before it, with a secret made from `DATA_KEY`."""
    content = [
        entry.previous,
        int(entry.number),
        entry.at,
        entry.moderator_id,
        entry.action,
        entry.case or "",
        entry.person_id or "",
        entry.detail or {},
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    key = secret or current_key().secret(AUDIT_LOG)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _time_after(head: AuditHead) -> str:
    """Returns the time, but in no earlier month than the last entry's, because clocks differ between machines."""
    now = utc_now_iso()
    return now if now[:7] >= (head.month or "") else f"{head.month}-01T00:00:00+00:00"


def _moved(head: AuditHead, entry: AuditEntry) -> Change:
    month = entry.at[:7]
    moved = [
        AuditHead.number.set(entry.number),
        AuditHead.hash.set(entry.hash),
        AuditHead.month.set(month),
        AuditHead.first_month.set(head.first_month or month),
    ]
    return Change(AuditHead, keys.audit_head(), moved, AuditHead.hash == head.hash, _HeadMoved)


def _head() -> AuditHead:
    try:
        return reading.get(AuditHead, keys.audit_head(), consistent=True)
    except NotFound:
        with suppress(_HeadMoved):  # someone else created it, and moved it already
            create(AuditHead(*keys.audit_head()), otherwise=_HeadMoved)
        return reading.get(AuditHead, keys.audit_head(), consistent=True)
