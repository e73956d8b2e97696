"""Closing an account: it is out of sight at once, and erased after two weeks unless its owner keeps it, by a change of
mind within the grace. Then what lets someone in or finds them goes at once, and nobody can keep the account any more.
And what stays after an erasure, and until when."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from itertools import islice

from django.core.files.storage import default_storage
from pynamodb.expressions.condition import Condition

from accounts.encryption.emails import decrypt_email, email_hmacs, leave_domain
from accounts.encryption.person_keys import erasing_person_key
from accounts.mail.choices import keys_of_planned
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
from accounts.people.cards import PersonCard, files_of, is_held
from accounts.people.reads import FormerHandle, former_handles, get_user_info
from accounts.people.restrictions import is_restricted
from accounts.people.viewer import Viewer
from accounts.permissions import ADMIN, list_staff
from accounts.sessions import end_sign_ins_with
from moderation.cases.writes import clear_desk
from privacy.export.writes import delete_exports
from privacy.models import Erasure, Receipt, State
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import cancel, plan
from socialsite.observing.logs import Event, note_event
from socialsite.streams import Job, JobKind
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Conflict,
    Create,
    Delete,
    Erase,
    NotFound,
    RawItem,
    TableError,
    WriteAction,
    access_pattern,
    as_model,
    change,
    fetch,
    key_of,
    keys,
    query,
    reading,
    row,
    transact,
    translated,
    write_batch,
)
from socialsite.telling import Cause, kind, tell

ACCOUNT_CLOSING = kind("account-closing", by_letter=True)
ERASURE_WAITS = kind("erasure-waits", by_letter=True)
GRACE = timedelta(days=14)
HANDLE_KEPT = timedelta(days=90)  # nobody can pose as the person who left
EVIDENCE_KEPT = timedelta(days=180)  # decisions can be disputed for six months
MOST_BARRED = timedelta(days=365)  # of the address of a suspended person
RECEIPT_KEPT = timedelta(days=365)
BACKUPS_KEPT = timedelta(
    days=35
)  # of recovery to a point in time; those of `manage.py backup` are the operator's
LATEST_RECORD = timedelta(hours=25)  # the stream keeps its records for a day
NIGHT = time(3, tzinfo=UTC)

Kept = list[tuple[str, str]]  # what stays, and until when, empty if it has no end


def next_search(erased_at: datetime) -> datetime:
    """Returns the night of the search: the first after the stream has dropped every record from before the end of the
    erasure, so that nothing can come late."""
    earliest = erased_at + LATEST_RECORD
    night = datetime.combine(earliest.date(), NIGHT)
    return night if night >= earliest else night + timedelta(days=1)


def barred_until(suspended_until: str, now: datetime) -> datetime:
    """Returns until when the address of a suspended person cannot sign up again."""
    return min(datetime.fromisoformat(suspended_until), now + MOST_BARRED)


ERASE = "erase"  # the kind of the due item
RESUME = "resume-erasure"  # that of one which waited for a legal hold


class LastAdmin(TableError):
    """Without this person, nobody could give anyone a role."""


class AlreadyClosing(Conflict):
    """The account is closing already."""


@access_pattern
def close_account(*, by: Viewer, at_once: bool = False) -> str:
    """Closes the account of the signed-in person, who can also be suspended, and returns the id of the receipt. The
    page asks for a proof before. Costs as `begin_closing`, and raises what it raises."""
    return begin_closing(user_id=by.account_id, at_once=at_once)


@access_pattern
def begin_closing(*, user_id: str, at_once: bool = False) -> str:
    """Hides an account, ends all its sign-ins with a new epoch, and plans its erasure. Returns the id of the receipt.
    Raises `LastAdmin`, `AlreadyClosing`, `NotFound`.

    Two Queries, 2 read units, of admins one Query more and 0.5 each of the staff; one TransactWriteItems of
    Credentials, UserSettings, UserInfo, Receipt, the due item and, during the grace, the letter: 10 or 12 write units,
    and 2 for each sign-in.
    """
    now = utc_now()
    closing = now if at_once else now + GRACE
    receipt_id = secrets.token_urlsafe(16)
    receipt = Receipt.new(
        receipt_id=receipt_id,
        asked_at=now.isoformat(timespec="seconds"),
        closing=closing.isoformat(timespec="seconds"),
    )
    info = get_user_info(user_id, consistent=True)
    if info.held_until > receipt.closing:
        receipt.held_until = info.held_until
    end_sign_ins_with(
        Change(Credentials, keys.credentials(user_id), [Credentials.receipt.set(receipt_id)]),
        user_id=user_id,
        and_also=[
            *_another_admin(info),
            Change(
                UserInfo,
                keys.user_info(user_id),
                [UserInfo.closing.set(receipt.closing)],
                condition=UserInfo.closing.does_not_exist(),
                otherwise=AlreadyClosing,
            ),
            Create(receipt),
            *([] if at_once else _told(user_id, receipt)),
            plan(
                ERASE, moment=moment_of(receipt.closing), subject=user_id, closing=receipt.closing
            ),
        ],
    )
    note_event(Event.ACCOUNT_CLOSED, account=user_id)
    return receipt_id


def _told(user_id: str, receipt: Receipt) -> Sequence[WriteAction]:
    """Returns what posts the letter. Nobody can read the address of an account that goes at once."""
    facts = {"closing": receipt.closing, "held_until": receipt.held_until or ""}
    return tell(user_id, ACCOUNT_CLOSING, Cause(facts=facts)).actions()


def moment_of(closing: str) -> datetime:
    """Returns the moment that stands in `UserInfo.closing`."""
    return datetime.fromisoformat(closing)


def _another_admin(info: PersonCard) -> Sequence[WriteAction]:
    """Returns the check that another administrator stays, if the person is one. Two who leave at the same moment both
    check the other. Raises `LastAdmin`."""
    if info.role != ADMIN:
        return []
    for other in list_staff():
        if other.role == ADMIN and other.user_id != info.user_id and not other.is_locked_out:
            stays = (UserInfo.role == ADMIN) & UserInfo.closing.does_not_exist()
            return [Check(keys.user_info(other.user_id), stays, otherwise=LastAdmin)]
    raise LastAdmin


class TooLate(Conflict):
    """The erasure has begun."""


@access_pattern
def keep_account(*, by: Viewer) -> bool:
    """Takes the closing back, and shows the account again as it was. Returns False if it was not closing, and raises
    `TooLate` if the grace is over.

    Two consistent GetItems, 2 read units; one TransactWriteItems of UserInfo, Credentials, the due item and the
    receipt, 8 write units. The erasure begins by deleting the Credentials, so that one of the two wins.
    """
    info = reading.get(UserInfo, keys.user_info(by.account_id), consistent=True)
    if not info.closing:
        return False
    if info.closing <= utc_now_iso():
        raise TooLate
    own = keys.credentials(by.account_id)
    credentials = reading.get(Credentials, own, consistent=True)
    transact(
        Change(Credentials, own, [Credentials.receipt.remove()], otherwise=TooLate),
        Change(
            UserInfo,
            info.key,
            [UserInfo.closing.remove()],
            condition=UserInfo.closing == info.closing,
            otherwise=TooLate,
        ),
        cancel(ERASE, moment=moment_of(info.closing), subject=by.account_id),
        Erase(keys.receipt(str(credentials.receipt))),
    )
    note_event(Event.ACCOUNT_KEPT, account=by.account_id)
    return True


@access_pattern
def wait_for_hold(due: Due, *, until: str, receipt_id: str) -> None:
    """Lets the beginning of an erasure wait for the end of a legal hold, and tells the person. Safe to repeat. One
    TransactWriteItems of the due item, the receipt and the letter, 6 write units."""
    waits = plan(due.kind, moment=moment_of(until), subject=due.subject, **due.facts)
    told = tell(due.subject, ERASURE_WAITS, Cause(facts={"until": until})).actions()
    with suppress(AlreadyExists):  # another try did it
        transact(waits, *_on_receipt(receipt_id, until), *told)


def _on_receipt(receipt_id: str, until: str) -> Sequence[WriteAction]:
    """Returns what the receipt says of a hold, if there is one."""
    if not receipt_id:
        return []
    said = Receipt.held_until.set(until) if until else Receipt.held_until.remove()
    return [Change(Receipt, keys.receipt(receipt_id), [said])]


AT_ONCE = 100


class KeptAccount(NotFound):
    """The owner keeps the account, its erasure has begun already, or it must be kept by law."""


@access_pattern
def begin_erasure(due: Due) -> None:
    """Ends an account, once, with all ways in: credentials, the claim of the address, the data key, passkeys, sign-ins
    with where they came from, and a place among the staff. Deletes the pictures, letters that are kept as files and all
    exports, and enters the job that erases the rest. Does nothing if the owner kept the account, and waits for the end
    of a legal hold. Raises `KeptAccount`. The clock does this, as the stream worker may not touch most of it.

    Two consistent BatchGetItems and three Queries, 7 read units; one TransactWriteItems of 11 items, 22 write units,
    and 1 for each sign-in, passkey, former handle and planned letter, 2 for each origin; of staff a Query of their
    desk, and 6 for each case there.
    """
    user_id = due.subject
    info_key, own_key = keys.user_info(user_id), keys.credentials(user_id)
    settings_key = keys.user_settings(user_id)
    found = fetch([info_key, own_key, settings_key], consistent=True)
    info = row(UserInfo, found.get(info_key, {}))
    if info.closing != due.facts["closing"]:
        return
    if is_held(info.held_until):
        receipt_id = row(Credentials, found.get(own_key, {})).receipt
        wait_for_hold(due, until=info.held_until, receipt_id=str(receipt_id or ""))
        return
    address = ""
    if own_key in found:
        own = as_model(Credentials, found[own_key])
        address = decrypt_email(own.email, user_id=user_id) if own.email else ""
        _end(info, own, address, utc_now())
    end_letters_of(user_id, address=address)
    write_batch(deletes=keys_of_planned(row(UserSettings, found.get(settings_key, {}))))
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
            keys.user_info(info.user_id),
            (UserInfo.closing == info.closing) & _is_free_at(now),
            otherwise=KeptAccount,
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


def _is_free_at(now: datetime) -> Condition:
    """Returns the condition that no legal hold is in force: one may just have been confirmed."""
    held = UserInfo.held_until
    return held.does_not_exist() | (held <= now.isoformat(timespec="seconds"))


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


@access_pattern
def resume_erasure(due: Due) -> None:
    """Enters the job of an erasure anew that waited for the end of a legal hold, where it was. If the hold was renewed,
    it waits on. Safe to repeat.

    One consistent BatchGetItem, 1 read unit, and one TransactWriteItems of the job and the receipt, 4 write units.
    """
    key = keys.user_info(due.subject)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        return
    receipt_id, until = due.facts["receipt"], row(UserInfo, raw).held_until
    with suppress(AlreadyExists):
        if is_held(until):
            waits = plan(due.kind, moment=moment_of(until), subject=due.subject, **due.facts)
            transact(waits, *_on_receipt(receipt_id, until))
            return
        job = Job.new(kind=JobKind.ERASE, job_id=receipt_id, subject_id=due.subject)
        job.cursor = due.facts["cursor"]
        transact(Create(job), *_on_receipt(receipt_id, ""))
