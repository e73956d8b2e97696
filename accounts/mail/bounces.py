"""What becomes of an address whose letters come back, or whose owner called one unwanted.

Two letters of a month that came back for good, or one complaint, and the address is not confirmed any more: the site
writes to it no more but to confirm it, and its owner reads why at home. A complaint also ends the letters that come
regularly.

Amazon SES says so in a queue (`events_queue.py`), a mail server in letters to `MAIL_RETURN` (`manage.py take_bounce`).
Anyone can write such a letter: only one counts whose address the site made, for this person and their present address.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import Message
from typing import Any

from pynamodb.expressions.update import Action

from accounts.encryption.emails import decrypt_email, leave_domain, list_claims
from accounts.mail.choices import end_letter
from accounts.mail.signed import (
    BadSignature,
    is_return_address_of,
    person_of_return_address,
    read_unsubscribe_token,
)
from accounts.models import CAME_BACK, Credentials, EmailClaim, Sealed, UserInfo, UserSettings
from accounts.people.restrictions import is_restricted
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Delete,
    Moved,
    NotFound,
    WriteAction,
    access_pattern,
    get,
    keys,
    transact,
    write_optimistically,
)
from socialsite.web.limits import Limit, LimitReachedHere, hit

# Statuses of a failure that say that there is no such mailbox (RFC 3463). All others may be the site's own trouble: a
# sender whose domain cannot be found, what a rule of the other side refused, a loop.
OF_THE_ADDRESS = {"5.0.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.5.0"}
REMEMBERED = timedelta(days=30)  # how long a first letter that came back counts
CAME_BACK_A_DAY = Limit(
    "mail-came-back", 50, 86_400
)  # addresses; more are a fault of the site's own mail
UNSUBSCRIBE = "unsubscribe"

log = logging.getLogger(__name__)


@access_pattern
def note_bounce(*, user_id: str, event: str) -> None:
    """Notes that a letter came back for good, and takes the confirmation of the address back if another one did in the
    month before. `event` tells two letters apart, so the same one never counts twice. Nothing for someone who is gone,
    nor for more than 50 addresses in a day.

    One consistent GetItem, 1 read unit, and one UpdateItem, 1 write unit; the second time what `_unconfirm` writes, and
    2 write units to count it.
    """

    def attempt() -> None:
        own = get(Credentials, keys.credentials(user_id), consistent=True)
        if not own.email:
            return
        before, now = str(own.bounced or ""), utc_now()
        day, _, earlier = before.partition(" ")
        if not earlier or day < (now - REMEMBERED).date().isoformat():
            is_same = Credentials.email == own.email
            is_same &= (
                Credentials.bounced == before if before else Credentials.bounced.does_not_exist()
            )
            noted = Credentials.bounced.set(f"{now.date().isoformat()} {event}")
            transact(Change(Credentials, own.key, [noted], is_same, Moved))
        elif earlier != event:
            _unconfirm(own, [], hit(CAME_BACK_A_DAY, "all", otherwise=LimitReachedHere))

    try:
        _unless_gone(attempt)
    except LimitReachedHere:
        log.error("more letters come back than addresses can be wrong: none is unconfirmed today")


@access_pattern
def note_complaint(*, user_id: str) -> None:
    """Takes the confirmation of an address back whose owner called a letter unwanted, and ends the regular ones. Safe
    to repeat. One consistent GetItem, 1 read unit, and what `_unconfirm` writes."""

    def attempt() -> None:
        own = get(Credentials, keys.credentials(user_id), consistent=True)
        if own.email:
            _unconfirm(own, [UserSettings.letters.remove()])

    _unless_gone(attempt)


def _unless_gone(attempt: Callable[[], None]) -> None:
    try:
        write_optimistically(attempt)
    except NotFound:
        log.info("a letter came back to someone who is gone")


def _unconfirm(own: Credentials, also: list[Action], *counted: WriteAction) -> None:
    """Makes an address one that waits to be confirmed, unless another one does already. That of someone who is
    suspended stays theirs: if they leave, it is barred.

    One consistent GetItem of UserInfo and BatchGetItem of the claims, 2 read units, and 0.5 for the person's key; one
    TransactWriteItems of Credentials, UserSettings, the claim and the entry of the domain, 8 write units.
    """
    user_id = own.user_id
    own_settings = keys.user_settings(user_id)
    if is_restricted(get(UserInfo, keys.user_info(user_id), consistent=True).suspended_until):
        if also:
            transact(Change(UserSettings, own_settings, also))
        return
    assert own.email is not None
    address = decrypt_email(own.email, user_id=user_id)
    actions: list[Action] = [Credentials.email.remove(), Credentials.bounced.remove()]
    if not own.wished_email:
        actions.append(Credentials.wished_email.set(_as_kept(own.email)))
    is_own = EmailClaim.user_id == user_id
    freed: list[WriteAction] = [
        Delete(key, is_own, Moved)
        for key, owner in list_claims(address).items()
        if owner == user_id
    ]
    transact(
        Change(Credentials, own.key, actions, Credentials.email == own.email, Moved),
        Change(
            UserSettings,
            own_settings,
            [UserSettings.unconfirmed.set(CAME_BACK), *also],
        ),
        *freed,
        *leave_domain(address, user_id=user_id),
        *counted,
    )
    note_event(Event.EMAIL_CAME_BACK, account=user_id)


def _as_kept(sealed: Sealed) -> Any:
    return {"S": sealed} if isinstance(sealed, str) else sealed  # one from before people had keys


def take_returned(message: Message, *, to: str) -> str:
    """Does what a letter to `MAIL_RETURN` says: that one could not be delivered, was unwanted, or is to end. Returns
    what it was in a word, empty for anything else. Safe to repeat.

    `to` is the address that it was sent to. As `note_bounce` or `note_complaint`, and 4 read units to check `to`.
    """
    if is_unsubscribed(str(message.get("Subject", ""))):
        return UNSUBSCRIBE
    kind = _kind_of(message)
    if not kind:
        return ""
    user_id = person_of_return_address(to)
    if not user_id or not is_return_address_of(user_id, to):
        log.warning("a letter says that one of ours came back, and is no answer to one")
        return ""
    if kind == COMPLAINT:
        note_complaint(user_id=user_id)
    else:
        note_bounce(user_id=user_id, event=_event_of(message))
    return kind


BOUNCE, COMPLAINT = "bounce", "complaint"


def is_unsubscribed(subject: str) -> bool:
    """Whether the subject is what the `mailto:` of List-Unsubscribe writes; then it ends those letters."""
    word, _, token = " ".join(subject.split()).partition(" ")
    if word.lower() != UNSUBSCRIBE:
        return False
    try:
        letter, user_id = read_unsubscribe_token(token)
    except BadSignature:
        return False
    end_letter(letter, user_id=user_id)
    return True


def _kind_of(message: Message) -> str:
    for part in message.walk():
        match part.get_content_type():
            case "message/delivery-status" if any(map(_is_final, _groups(part))):
                return BOUNCE
            case "message/feedback-report":
                said = {_field(one, "Feedback-Type").lower() for one in _groups(part)}
                return COMPLAINT if said & {"abuse", "fraud"} else ""
    return ""


def _groups(part: Message) -> Iterator[Message]:
    """Yields the groups of fields of a report, which Python parses as messages, or leaves as text."""
    payload = part.get_payload()
    for one in payload if isinstance(payload, list) else [str(payload)]:
        if isinstance(one, Message):
            yield one
            if text := one.get_payload():  # a report that was not parsed any further
                yield from map(_parsed, str(text).split("\n\n"))
        else:
            yield from map(_parsed, str(one).replace("\r\n", "\n").split("\n\n"))


def _parsed(text: str) -> Message:
    parsed = Message()
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon and name.strip() and not line[0].isspace():
            parsed[name.strip()] = value.strip()
    return parsed


def _field(group: Message, name: str) -> str:
    return str(group.get(name, "")).strip()


def _is_final(group: Message) -> bool:
    """Whether the fields of one recipient say that nothing will ever reach it (RFC 3464)."""
    status = _field(group, "Status").partition(" ")[0]
    return _field(group, "Action").lower() == "failed" and status in OF_THE_ADDRESS


def event_of_letter(message_id: str) -> str:
    """Returns what tells a letter that came back from others."""
    return hashlib.sha256(message_id.strip().encode(errors="replace")).hexdigest()[:32]


def _event_of(message: Message) -> str:
    """Returns the same of a report, which brings the letter's own name along."""
    for part in message.walk():
        if part.get_content_type() == "text/rfc822-headers":
            for line in str(part.get_payload()).splitlines():
                if line.lower().startswith("message-id:"):
                    return event_of_letter(line.partition(":")[2])
        elif part is not message and part.get("Message-ID"):
            return event_of_letter(str(part["Message-ID"]))
    return event_of_letter(message.as_string())
