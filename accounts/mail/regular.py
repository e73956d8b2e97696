"""How a letter that comes regularly is written and sent: by the clock, from one `Due` a person, which plans the one
after it in the transaction that claims it.

So there is one at a time, however many clocks look, and one letter after a month without any. What comes too late (a
clock that stood still, a backup that was restored) is not sent: the next one tells of it. A process that dies between
claim and sending loses that one letter. Whoever did not visit the site between four letters gets no more of them.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts.encryption.emails import decrypt_email
from accounts.mail.bounces import OF_THE_ADDRESS, event_of_letter, note_bounce
from accounts.mail.choices import LetterChoice, Regular, end_letter, next_moment, planned, zone_of
from accounts.mail.letters import Letter, LetterMessage, Recipient, message_of
from accounts.mail.server import is_left_alone, note_failure, note_success
from accounts.models import Credentials, Sealed, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer, Waiting, circles_of
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import AlreadyDone, due_work
from socialsite.process_state import kept_by_process
from socialsite.table import (
    AlreadyExists,
    Create,
    Delete,
    Moved,
    access_pattern,
    fetch,
    ids,
    keys,
    row,
    transact,
)
from socialsite.web.limits import Limit, LimitReachedHere, hit
from socialsite.web.preferences import parse

LATE = timedelta(hours=2)
MOST_UNSEEN = 4
PAUSES = (5, 15, 40)  # minutes until a mail server that did not answer is asked again
PERMANENT = 500
A_DAY = 86_400

log = logging.getLogger(__name__)

Facts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """A person as a letter to them is written: who they are on the site, and what they chose."""

    viewer: Viewer
    choice: LetterChoice
    address: Sealed | None
    seen: str  # the last day they were here
    language: str
    time_zone: str

    @property
    def gets_letters(self) -> bool:
        """Whether letters go to them now: not to people who are locked out, nor to an address that is not confirmed."""
        assert self.viewer.card
        is_reached = self.address is not None and self.viewer.is_confirmed
        return is_reached and not self.viewer.card.is_locked_out


@access_pattern
def find_reader(user_id: str) -> Reader | None:
    """Returns a person as a letter to them is written, None if they are gone.

    One consistent BatchGetItem of UserInfo, UserSettings, Bell and Credentials: 4 read units.
    """
    info, own = keys.user_info(user_id), keys.user_settings(user_id)
    bell, credentials = keys.bell(user_id), keys.credentials(user_id)
    found = fetch([info, own, bell, credentials], consistent=True)
    if info not in found or own not in found:
        return None
    kept = row(UserSettings, found[own])
    chosen = parse(kept.preferences)
    choice = LetterChoice.from_kept(kept.letters)
    viewer = Viewer(
        user_id,
        card=PersonCard.from_raw(found[info], viewer_id=user_id),
        pulled=tuple(kept.pulled),
        merged=kept.merged,
        hidden=tuple(kept.hidden),
        circles=circles_of(found[own]),
        waiting=Waiting.from_raw(found.get(bell, {})),
        opted_out=tuple(kept.opted_out),
        without_reposts=tuple(kept.without_reposts),
        muted_version=kept.muted_version,
        not_home=frozenset(one[-ids.LENGTH :] for one in kept.not_home),
        is_confirmed=not kept.unconfirmed,
    )
    return Reader(
        viewer,
        choice,
        address=row(Credentials, found.get(credentials, {})).email or None,
        seen=str(kept.seen)[:10],
        language=(chosen.language if chosen else "") or choice.language or settings.LANGUAGE_CODE,
        time_zone=zone_of(chosen, choice),
    )


@dataclass(frozen=True, slots=True)
class Written:
    """What a look at a person's news gave: the letter, None if there is nothing new, what the next one need not tell
    again, and when that is due, if not at its usual time."""

    letter: Letter | None = None
    told: Facts = field(default_factory=dict)
    look_at: datetime | None = None


Write = Callable[[Reader, Facts, bool], Written]
_writers: dict[Regular, Write] = {}


def regular_letter(letter: Regular) -> Callable[[Write], Write]:
    """Registers the function that writes a letter. It gets its reader, what was planned, and whether this is the last
    one, as nobody looked at the three before."""

    def register(write: Write) -> Write:
        _writers[letter] = write
        due_work(letter, claims_itself=True)(carry_out)
        return write

    return register


@access_pattern
def carry_out(due: Due) -> None:
    """Writes a person's letter, if there is anything to say and they may get it, and plans the one after it. Safe to
    run twice: the transaction that plans it ends the due item.

    `find_reader`, what the letter reads, and one TransactWriteItems of two items, 4 write units; to send 0.5 read units
    more, and 2 write units for each 20 letters of a process. While the mail server is away only the 4 write units.
    """
    letter, user_id = Regular(due.kind), due.subject
    if is_left_alone() and not _is_late(due):
        transact(Delete(due.key, otherwise=AlreadyDone), Create(_again(due)))
        return
    reader = find_reader(user_id)
    if reader is None or not is_wanted(letter, reader, due.facts):
        transact(Delete(due.key, otherwise=AlreadyDone))
        return
    unseen = 0 if reader.seen >= due.facts.get("sent", "") else int(due.facts.get("unseen", 0))
    if unseen >= MOST_UNSEEN:
        transact(Delete(due.key, otherwise=AlreadyDone))
        end_letter(letter, user_id=user_id)
        return
    written = _write(letter, reader, due, is_last=unseen + 1 == MOST_UNSEEN)
    later = _following(letter, reader, due, written, unseen)
    if not _claim(due, later) or written.letter is None or reader.address is None:
        return
    if _send(written.letter, reader, due, later) and unseen + 1 == MOST_UNSEEN:
        end_letter(letter, user_id=user_id)


def is_wanted(letter: Regular, reader: Reader, facts: Facts) -> bool:
    """Whether the letter belongs to what the person wants now. One that an earlier choice planned does not."""
    return reader.choice.wants(letter) and reader.choice.stamp == facts.get("stamp")


def _write(letter: Regular, reader: Reader, due: Due, *, is_last: bool) -> Written:
    if not reader.gets_letters or _is_late(due):
        return Written()
    with in_words_of(reader):
        written = _writers[letter](reader, due.facts, is_last)
    if written.letter and not _allowance.take():
        return Written()  # it is neither counted nor told: the next one says the same
    return written


@contextmanager
def in_words_of(reader: Reader) -> Iterator[None]:
    """Speaks the language of a reader, in their time zone."""
    with override(reader.language), timezone.override(reader.time_zone):
        yield


def _planned(due: Due) -> datetime:
    return datetime.fromisoformat(due.facts["planned"])


def _is_late(due: Due) -> bool:
    return utc_now() > _planned(due) + LATE


def _following(letter: Regular, reader: Reader, due: Due, written: Written, unseen: int) -> Due:
    """Returns the item of the letter after this one."""
    after = max(_planned(due), utc_now())
    user_id = due.subject
    moment = written.look_at or next_moment(
        letter, reader.choice, zone=reader.time_zone, after=after, user_id=user_id
    )
    facts = {name: value for name, value in due.facts.items() if name not in ("planned", "asked")}
    facts |= written.told
    if written.letter:
        facts |= {"unseen": str(unseen + 1), "sent": utc_now().date().isoformat()}
    item = planned(letter, user_id=user_id, moment=moment, **facts).item
    assert isinstance(item, Due)
    return item


class PlannedAnew(AlreadyExists):
    """The person chose anew meanwhile, and what follows is planned already."""


def _claim(due: Due, later: Due) -> bool:
    """Ends the item and plans the one after it. Returns whether that was done. Raises `AlreadyDone` if another process
    was quicker."""
    ended = Delete(due.key, otherwise=AlreadyDone)
    try:
        transact(ended, Create(later, otherwise=PlannedAnew), may_be_own=False)
    except PlannedAnew:
        transact(ended)
        return False
    return True


def _send(letter: Letter, reader: Reader, due: Due, later: Due) -> bool:
    """Sends the letter, and returns whether it went out. If the mail server cannot be reached, it is tried again in
    some minutes, as long as it is not late."""
    assert reader.viewer.card
    assert reader.address is not None
    user_id = reader.viewer.user_id
    address = decrypt_email(reader.address, user_id=user_id)
    to = Recipient(user_id, reader.viewer.card.handle, address)
    with in_words_of(reader):
        message = message_of(
            letter, to, kind=due.kind, event=f"{due.kind} {user_id} {due.facts['planned']}"
        )
    return _hand_over(message, due, later)


AT_ONCE = 20  # letters that a process takes from what the site may send in a day


class Allowance:
    """What this process may still send today, so that not each letter is counted in the table. The last fifth of what
    the site may send is for letters that someone waits for, such as those for a new password."""

    def __init__(self) -> None:
        self.day, self.left = "", 0

    def take(self) -> bool:
        """Returns whether one more letter may be sent. 2 write units for each 20."""
        today = utc_now().date().isoformat()
        if (self.day, self.left > 0) != (today, True):
            limit = Limit("mail-site", settings.MAIL_A_DAY * 4 // 5, A_DAY)
            for count in (AT_ONCE, 1):
                if count > limit.hits:  # would never fit, and the first hits are not asked
                    continue
                try:
                    transact(hit(limit, "all", otherwise=LimitReachedHere, times=count))
                except LimitReachedHere:
                    continue
                self.day, self.left = today, count
                break
            else:
                log.warning("no more letters today: four fifths of MAIL_A_DAY are reached")
                return False
        self.left -= 1
        return True


_allowance = Allowance()


@kept_by_process
def forget_allowance() -> None:
    """Counts anew, as after a start."""
    _allowance.day = ""


def _hand_over(message: LetterMessage, due: Due, later: Due) -> bool:
    try:
        message.send()
    except SMTPRecipientsRefused as error:
        [(code, said)] = error.recipients.values()
        if code >= PERMANENT:
            log.warning("the mail server refused a letter (%s) for good", due.kind)
            if said.partition(b" ")[0].decode(errors="replace") in OF_THE_ADDRESS:
                event = event_of_letter(message.extra_headers["Message-ID"])
                note_bounce(user_id=due.subject, event=event)
            return True
        _try_again(due, later)
    except Exception as error:  # each way of mail has its own errors
        log.warning("a letter (%s) waits for the mail server: %s", due.kind, error)
        note_failure(error)
        _try_again(due, later)
    else:
        note_success(was_tried="asked" in due.facts)
        return True
    return False


def _try_again(due: Due, later: Due) -> None:
    """Puts the item in the place of the one after it once more, unless the person chose anew meanwhile. 4 write
    units."""
    is_same = Due.facts == later.facts  # a new choice may have put its own there
    with suppress(AlreadyExists, Moved):
        transact(Delete(later.key, is_same, Moved), Create(_again(due)))


def _again(due: Due) -> Due:
    asked = int(due.facts.get("asked", 0))
    moment = utc_now() + timedelta(minutes=PAUSES[min(asked, len(PAUSES) - 1)])
    facts = {**due.facts, "asked": str(asked + 1)}
    return Due.new(kind=due.kind, moment=moment, subject=due.subject, facts=facts)


def last_words() -> str:
    """What the fourth letter says that nobody looked at."""
    return gettext(
        "You haven’t been here since the last three of these letters. So this is the last one: you can turn them on "
        "again in the settings of your notifications."
    )
