"""The beginning of an erasure: what lets someone in or finds them goes at once, and nobody can keep the account any
more."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice

from django.core.files.storage import default_storage

from accounts.encryption.emails import decrypt_email, email_hmacs
from accounts.encryption.person_keys import erasing_person_key
from accounts.handles.former import FormerHandle, former_handles
from accounts.mail.folder import end_letters_of
from accounts.models import (
    Credentials,
    EmailClaim,
    HandleClaim,
    OriginTrace,
    Passkey,
    UserInfo,
    UserSettings,
)
from accounts.profile_pictures import files_of
from accounts.restrictions import is_restricted
from accounts.services.addresses.domains import leave_domain
from moderation.cases.services.clear_desk import clear_desk
from privacy.erasure.terms import HANDLE_KEPT, Kept, barred_until
from privacy.models import Erasure, Receipt, State
from privacy.services.delete_exports import delete_exports
from socialsite.clock import utc_now
from socialsite.models import Due, Job, JobKind
from socialsite.table import keys
from socialsite.table.actions import Change, Check, Create, Delete, Erase, WriteAction
from socialsite.table.errors import NotFound, translated
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, fetch, key_of, query
from socialsite.table.row import row
from socialsite.table.writing import change, transact, write_batch

AT_ONCE = 100


class KeptAccount(NotFound):
    """The owner keeps the account, or its erasure has begun already."""


@access_pattern
def begin_erasure(due: Due) -> None:
    """Ends an account, once, with all ways in: credentials, the claim of the address, the data key, passkeys, sign-ins
    with where they came from, and a place among the staff. Deletes the pictures, letters that are kept as files and all
    exports, and enters the job
    that erases the rest. Does nothing if the owner kept the account. Raises `KeptAccount`. The clock does this, as the
    stream worker may not touch most of it.

    Two consistent BatchGetItems and three Queries, 7 read units; one TransactWriteItems of 11 items, 22 write units,
    and 1 for each sign-in, passkey and former handle, 2 for each origin; of staff a Query of their desk, and 6 for each
    case there.
    """
    user_id = due.subject
    info_key, own_key = keys.user_info(user_id), keys.credentials(user_id)
    settings_key = keys.user_settings(user_id)
    found = fetch([info_key, own_key, settings_key], consistent=True)
    info = row(UserInfo, found.get(info_key, {}))
    if info.closing != due.facts["closing"]:
        return
    address = ""
    if own_key in found:
        own = as_model(Credentials, found[own_key])
        address = decrypt_email(own.email, user_id=user_id) if own.email else ""
        _end(info, own, address, utc_now())
    end_letters_of(user_id, address=address)
    _forget_former(info, former_handles(row(UserSettings, found.get(settings_key, {}))))
    if info.role:
        clear_desk(info.user_id)
    for name in (*files_of(info.avatar).values(), *files_of(info.header).values()):
        with translated():
            default_storage.delete(name)
    # From here on nobody signs in any more.
    for partition in (
        keys.sign_ins(user_id),
        keys.ways_in(user_id),
        keys.origin_traces(user_id),
    ):
        rows = query(partition, consistent=True, with_expired=True)
        while chunk := list(islice(rows, AT_ONCE)):
            write_batch(deletes=[key for raw in chunk for key in _with_its_pointer(raw)])
    delete_exports(user_id)


def _forget_former(info: UserInfo, handles: Iterable[FormerHandle]) -> None:
    """Lets former handles lead to nobody. They are kept from others as long as before."""
    theirs = HandleClaim.user_id == info.user_id
    for one in handles:
        with suppress(NotFound):
            change(
                HandleClaim,
                keys.handle_claim(one.handle),
                [HandleClaim.user_id.remove()],
                condition=theirs & HandleClaim.former.exists(),
            )


def _end(info: UserInfo, own: Credentials, address: str, now: datetime) -> None:
    receipt_id = str(own.receipt)
    until = info.suspended_until
    bar = barred_until(until, now) if is_restricted(until) else None
    kept: Kept = [("address", bar.isoformat(timespec="seconds"))] if bar else []
    transact(
        Delete(own.key, Credentials.receipt == receipt_id, otherwise=KeptAccount),
        Check(
            keys.user_info(info.user_id), UserInfo.closing == info.closing, otherwise=KeptAccount
        ),
        _tombstone(info, now),
        *_claims(own, address, bar),
        erasing_person_key(info.user_id),
        *([Erase(keys.staff_member(info.user_id))] if info.role else []),
        Change(
            Receipt,
            keys.receipt(receipt_id),
            [Receipt.state.set(State.BEGUN), Receipt.kept.set(kept)],
        ),
        Create(Erasure.new(user_id=info.user_id, receipt_id=receipt_id)),
        Create(Job.new(kind=JobKind.ERASE, job_id=receipt_id, subject_id=info.user_id)),
    )


def _tombstone(info: UserInfo, now: datetime) -> Change:
    """Returns the change that keeps the handle from everyone for a while, so that nobody can pose as the person."""
    former = [
        HandleClaim.user_id.remove(),
        HandleClaim.former.set(now.isoformat(timespec="seconds")),
        HandleClaim.ttl.set(now + HANDLE_KEPT),
    ]
    theirs = HandleClaim.user_id == info.user_id
    return Change(HandleClaim, keys.handle_claim(info.handle), former, theirs, KeptAccount)


def _claims(own: Credentials, address: str, bar: datetime | None) -> Iterator[WriteAction]:
    """Yields what becomes of the claims of the address: it is free again, or barred while a suspension lasts. Nobody
    finds the account by its domain any more."""
    if not address:  # they never confirmed one
        return
    yield from leave_domain(address, user_id=own.user_id)
    claims = fetch(map(keys.email_claim, email_hmacs(address)), consistent=True)
    for key, raw in claims.items():
        if row(EmailClaim, raw).user_id != own.user_id:
            continue
        if bar:
            yield Change(EmailClaim, key, [EmailClaim.user_id.remove(), EmailClaim.ttl.set(bar)])
        else:
            yield Delete(key)


def _with_its_pointer(raw: RawItem) -> Iterator[keys.Key]:
    match raw["type"]["S"]:
        case Passkey.__name__:
            yield keys.passkey_claim(row(Passkey, raw).credential_hash)
        case OriginTrace.__name__:
            trace = row(OriginTrace, raw)
            yield keys.origin(trace.kind, trace.hmac, trace.user_id)
    yield key_of(raw)
