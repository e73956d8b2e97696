"""What becomes of alarms from one look to the next: pure functions.

An alarm is told once it has held for its minutes, and again when it has not held for ten. One that comes and goes
within that time goes on, so people are told of its beginning and its end once each.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from operations.alarms.rules import BY_NAME, SEEN_BY_SITE, Alarm

CALM = timedelta(minutes=10)  # without it, after which an alarm has ended
FORGOTTEN = timedelta(
    hours=6
)  # without a look, as before a restore: nobody is told of ends of so long ago
UNSEEN = timedelta(
    days=1
)  # without its figure, as of a pusher that was taken away: it stands no longer
BEGAN, ENDED = "began", "ended"

# `since`, `told` once it was, `calm` while it does not hold, `unseen` while its figure is not there.
State = dict[str, str]


@dataclass(slots=True)
class States:
    """`states` by the names of alarms; `untold` says which began and ended since the last letter."""

    states: dict[str, State] = field(default_factory=dict)
    untold: dict[str, str] = field(default_factory=dict)

    @property
    def running(self) -> list[tuple[Alarm, datetime]]:
        """Returns the alarms that were told and have not ended, with since when they hold, the first ones first."""
        told = [(name, one) for name, one in self.states.items() if "told" in one]
        found = [
            (BY_NAME[name], datetime.fromisoformat(one["since"]))
            for name, one in told
            if name in BY_NAME
        ]
        return sorted(found, key=lambda one: one[1])


@dataclass(frozen=True, slots=True)
class Turn:
    """What one look changed: the alarms that began, and those that ended."""

    after: States
    began: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()


def after_look(
    before: States, figures: Mapping[str, float], now: datetime, *, last: datetime | None
) -> Turn:
    """Returns what a look at these figures changes. `last` is when there was a look before."""
    if last is None or now - last > FORGOTTEN:
        before = States()
    moment, kept = now.isoformat(timespec="seconds"), {}
    began, ended = [], []
    for alarm in SEEN_BY_SITE:
        holds, state = alarm.holds(figures), dict(before.states.get(alarm.name, {}))
        if holds is not None:
            state.pop("unseen", None)
        if holds is None and state:  # the figure is not there: as it was
            state.setdefault("unseen", moment)
            if now - datetime.fromisoformat(state["unseen"]) > UNSEEN:
                state = {}
        elif holds is None:
            pass
        elif holds:
            state.pop("calm", None)
            state.setdefault("since", moment)
            held = now - datetime.fromisoformat(state["since"])
            if "told" not in state and held >= timedelta(minutes=alarm.minutes):
                state["told"] = moment
                began.append(alarm.name)
        elif "told" in state:
            state.setdefault("calm", moment)
            if now - datetime.fromisoformat(state["calm"]) >= CALM:
                ended.append(alarm.name)
                state = {}
        else:
            state = {}
        if state:
            kept[alarm.name] = state
    untold = _untold(before.untold, began, ended)
    return Turn(States(kept, untold), tuple(began), tuple(ended))


def _untold(before: Mapping[str, str], began: list[str], ended: list[str]) -> dict[str, str]:
    """An alarm that ended before a letter told of it is left out of letters: the bell told of both."""
    untold = dict(before) | dict.fromkeys(began, BEGAN)
    for name in ended:
        if untold.pop(name, "") != BEGAN:
            untold[name] = ENDED
    return untold
