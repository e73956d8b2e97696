"""The clock's look at the alarms, once a minute, and telling those whom one wakes: by bell at once, by letter at most
once in `ALARM_LETTER_MINUTES`."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from pynamodb.expressions.condition import Condition

from accounts.permissions import Permission, list_staff, permissions_of_role
from operations.alarms.notices import ALARM_BEGAN, ALARM_ENDED, ALARMS
from operations.alarms.rules import BY_NAME
from operations.alarms.states import BEGAN, ENDED, States, Turn, after_look
from operations.models import AlarmState
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import done, plan
from socialsite.process_state import kept_by_process
from socialsite.streams.ledger import PlanMoved
from socialsite.table import (
    Moved,
    Upsert,
    WriteAction,
    access_pattern,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.telling import Cause, Kind, Telling, kind_of
from socialsite.vital_signs import list_vitals

TELL = "tell-of-alarms"  # the kinds of due work
WRITE = "write-of-alarms"
MOST_TOLD = 20  # members of staff

IN_PLACE_OF_CLOCK = timedelta(minutes=3)  # without a look

People = list[tuple[str, frozenset[Permission]]]
Send = Callable[[Mapping[str, str], People], None]

_look_at = float("-inf")


@kept_by_process
def look_soon() -> None:
    """Lets this process look at once."""
    global _look_at
    _look_at = float("-inf")


def look_if_it_is_time() -> None:
    """Looks once in `ALARM_SECONDS`, never if that is 0."""
    global _look_at
    if settings.ALARM_SECONDS and time.monotonic() >= _look_at:
        _look_at = time.monotonic() + settings.ALARM_SECONDS
        with suppress(Moved):  # another clock was quicker
            look()


@access_pattern
def read_alarms() -> tuple[States, AlarmState | None]:
    """Returns what is known of the alarms, and how it is kept, None before the first look. One consistent GetItem, 1
    read unit."""
    raw = fetch([keys.alarms()], consistent=True).get(keys.alarms())
    if raw is None:
        return States(), None
    kept = row(AlarmState, raw)
    return States(dict(kept.states or {}), dict(kept.unwritten or {})), kept


@access_pattern
def look(now: datetime | None = None, *, send: Send | None = None) -> Turn | None:
    """Looks at the vital signs, and tells whom it concerns of alarms that began or ended, in the transaction that notes
    it. Returns what changed, None if a clock has just looked. Raises `Moved` if one did so meanwhile: nobody is told
    twice. `send` sends letters at once, for `manage.py alarms`, which looks in the place of a clock that is dead.

    `read_alarms` and `list_vitals`; 2 write units. With a change `list_staff` and `permissions_of_role`, and 2 write
    units for each who is told by bell, and by letter.
    """
    moment = now or utc_now()
    before, kept = read_alarms()
    last = datetime.fromisoformat(kept.looked_at) if kept else None
    pause = IN_PLACE_OF_CLOCK if send else timedelta(seconds=settings.ALARM_SECONDS / 2)
    if last and timedelta(0) <= moment - last < pause:
        return None
    turn = after_look(before, figures(), moment, last=last)
    letter_at = kept.letter_at if kept else None
    is_time = not letter_at or moment - datetime.fromisoformat(letter_at) >= _between_letters()
    letters = turn.after.untold if is_time else {}
    actions: list[WriteAction] = []
    if turn.began or turn.ended or letters:
        people = people_to_tell()
        actions += _bells(turn, people, moment)
        if send and letters:
            send(letters, people)
        else:
            actions += _letters(letters, people, moment)
    if letters:
        letter_at, turn.after.untold = moment.isoformat(timespec="seconds"), {}
    transact(_noted(turn.after, moment, kept, letter_at), *actions, may_be_own=False)
    return turn


def figures(*, with_table: bool = True) -> dict[str, float]:
    """Returns the vital signs by their names. Costs as `list_vitals`."""
    return {one.name: float(one.value) for one in list_vitals(with_table=with_table)}


def _between_letters() -> timedelta:
    return timedelta(minutes=settings.ALARM_LETTER_MINUTES)


def _noted(
    states: States, moment: datetime, kept: AlarmState | None, letter_at: str | None
) -> Upsert:
    is_same: Condition = AlarmState.pk.does_not_exist()
    if kept:
        is_same = AlarmState.looked_at == kept.looked_at
    actions = [
        AlarmState.looked_at.set(moment.isoformat()),
        AlarmState.states.set(states.states),
        AlarmState.unwritten.set(states.untold),
    ]
    if letter_at:
        actions.append(AlarmState.letter_at.set(letter_at))
    return Upsert(AlarmState, keys.alarms(), actions, is_same, Moved)


def _bells(turn: Turn, people: People, moment: datetime) -> Iterator[WriteAction]:
    """Yields the actions that plan bells, one for a person, however many alarms there are."""
    for user_id, may in people:
        for kind, names in ((ALARM_BEGAN, turn.began), (ALARM_ENDED, turn.ended)):
            if theirs := woken_by(names, may):
                subject = f"{user_id}.{kind.name}"
                facts = {"user": user_id, "told": kind.code, "alarms": " ".join(theirs)}
                facts["of"] = moment.isoformat(timespec="seconds")
                yield plan(TELL, moment=moment, subject=subject, **facts)


def _letters(letters: Mapping[str, str], people: People, moment: datetime) -> Iterator[WriteAction]:
    """Yields the actions that post letters, one to a person too."""
    posted = Telling()
    for user_id, may in people:
        if told := told_of(letters, may):
            posted.add(user_id, ALARMS, Cause(about=moment.isoformat(), facts=told))
    yield from posted.actions()
    if letters and settings.ALARMS_TO:
        facts = told_of(letters, frozenset(Permission))
        yield plan(WRITE, moment=moment, subject="operators", **facts)


def people_to_tell() -> People:
    """Returns up to 20 members of staff with what they may do. As `list_staff`, and `permissions_of_role` once for each
    role."""
    staff = list_staff()
    may = {role: permissions_of_role(role) for role in {one.role for one in staff}}
    wakes = {alarm.wakes for alarm in BY_NAME.values()}
    return [(one.user_id, may[one.role]) for one in staff if may[one.role] & wakes][:MOST_TOLD]


def woken_by(names: Iterable[str], may: frozenset[Permission]) -> list[str]:
    """Returns those of these alarms that are for people with these permissions."""
    return [name for name in names if name in BY_NAME and BY_NAME[name].wakes in may]


def told_of(untold: Mapping[str, str], may: frozenset[Permission]) -> dict[str, str]:
    """Returns the facts of a letter to people with these permissions, empty if it would say nothing."""
    found = {
        which: " ".join(woken_by([name for name, one in untold.items() if one == which], may))
        for which in (BEGAN, ENDED)
    }
    return found if any(found.values()) else {}


@access_pattern
def tell_of_alarms(due: Due) -> None:
    """Changes the notifications of one member of staff, once: the transaction ends the due item. As `tell_staff`."""
    kind, told = kind_of(due.facts["told"]), Telling()
    for name in due.facts["alarms"].split():
        told.add(due.facts["user"], kind, _cause(kind, name, due.facts["of"]))
    write_optimistically(lambda: transact(*told.actions(), done(due)), moved=PlanMoved)


def _cause(kind: Kind, name: str, of: str) -> Cause:
    """Each beginning and each end counts once on the line, by a name of its own."""
    return Cause(f"{name}.{kind.code}.{of}", keys.alarms())
