"""What `manage.py alarms` sees and tells, which a timer of the system calls every few minutes (docs/deploy.md): it is
there though the clock is dead, or the table is away.

While a clock looks, it tells nothing, but ends with a status. Where none has looked for three minutes it looks in its
place, and sends letters itself. While the table is away nothing can be noted there, nor are addresses of people
readable: then it writes to the operators of `ALARMS_TO`, and a file in the data folder says so.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils.translation import override

from accounts.mail.letters import LetterMessage, find_recipient, message_of
from accounts.permissions import Permission
from operations.alarms.letters import Sent, letter_of_alarms, letters_to_operators, send_each
from operations.alarms.looking import People, figures, look, told_of
from operations.alarms.rules import SEEN_BY_SITE, Alarm
from operations.alarms.states import BEGAN, ENDED
from socialsite.clock import utc_now
from socialsite.engine.lock import read_state, try_lock
from socialsite.site_settings.read_only import stands_still
from socialsite.table import Moved

TOLD = (
    "alarms-told"  # a file in the data folder: since when the operators know that the table is away
)
AWAY = "TableAway"


def list_holding() -> list[tuple[Alarm, str]]:
    """Returns the alarms that hold at this moment, for however long, each with the figures that say so. It does not
    start an engine that nobody runs. Costs as `list_vitals`."""
    found = figures() if is_engine_there() else {"table_up": 0.0} | figures(with_table=False)
    return [
        (alarm, _figure_of(alarm, found)) for alarm in SEEN_BY_SITE if alarm.holds(found) is True
    ]


def _figure_of(alarm: Alarm, found: Mapping[str, float]) -> str:
    name = alarm.expression.partition(" ")[0]
    return f"{name} is {found[name]:.15g}"


def is_engine_there() -> bool:
    """Whether a process keeps the embedded engine. Any other is not asked here."""
    if settings.DYNAMODB_ENGINE != "embedded":
        return True
    folder = Path(settings.DATA_DIR)
    if read_state(folder) is None:
        return False
    lock = try_lock(folder)  # free, if the one that wrote the state was killed
    if lock is not None:
        os.close(lock)
    return lock is None


def tell_in_place_of_clock(holding: list[tuple[Alarm, str]]) -> list[str]:
    """Tells what nobody else would, and returns a line for each thing that it did. Raises what the mail server does,
    also if it refused one of several letters, once all is noted: the others went out."""
    if AWAY in {alarm.name for alarm, _ in holding}:
        return _tell_of_table(BEGAN)
    said = _tell_of_table(ENDED)
    if stands_still():  # the clock rests on purpose, and a look is noted in the table
        return said
    sent = Sent()

    def send(letters: Mapping[str, str], people: People) -> None:
        nonlocal sent
        sent = send_each(_letters(letters, people))

    with suppress(Moved):  # a clock looks again
        turn = look(send=send)
        if turn is not None:
            said.append("No clock looks, so this command did.")
    if sent.refused:
        raise sent.refused
    return [*said, f"{sent.count} letters sent."] if sent.count else said


def _letters(letters: Mapping[str, str], people: People) -> list[LetterMessage]:
    event = f"alarms {utc_now().isoformat(timespec='seconds')}"
    messages = letters_to_operators(told_of(letters, frozenset(Permission)), event=event)
    for user_id, may in people:
        facts = told_of(letters, may)
        to = find_recipient(user_id) if facts else None
        if to is None:
            continue
        with override(to.language or settings.LANGUAGE_CODE):
            if letter := letter_of_alarms(facts):
                messages.append(message_of(letter, to, kind="alarms", event=f"{event} {user_id}"))
    return messages


def _tell_of_table(which: str) -> list[str]:
    """Tells the operators once that the table is away, after its minute, and once that it is back."""
    file = Path(settings.DATA_DIR) / TOLD
    known = _read(file)
    now, sent, said = utc_now(), Sent(), []
    if which == BEGAN and not known:
        _write(file, {"since": now.isoformat()})
    elif which == BEGAN and "told" not in known:
        if now - datetime.fromisoformat(known["since"]) >= timedelta(minutes=1):
            event = f"{AWAY} {known['since']}"
            sent = send_each(letters_to_operators({BEGAN: AWAY}, event=event))
            _write(file, known | {"told": now.isoformat()})
            said = [f"Told {_operators()} that the table is away."]
    elif which == ENDED and known:
        if "told" in known:
            event = f"{AWAY} {known['since']} ended"
            sent = send_each(letters_to_operators({ENDED: AWAY}, event=event))
            said = [f"Told {_operators()} that the table is back."]
        file.unlink(missing_ok=True)
    if sent.refused:
        raise sent.refused
    return said


def _operators() -> str:
    return ", ".join(settings.ALARMS_TO) or "nobody, as ALARMS_TO is empty,"


def _read(file: Path) -> dict[str, str]:
    try:
        return dict(json.loads(file.read_text()))
    except (OSError, ValueError):
        return {}


def _write(file: Path, known: dict[str, str]) -> None:
    with suppress(OSError):  # a full disk: then the letter comes again
        file.write_text(json.dumps(known))
