"""Every key of the table is written as it always was: a format that has data is never changed.

`keys.tsv` holds calls with their results, and constants. A new one needs a row: write the call, and `KEYS=write` fills
its result in. A result that stands there already is never written over.
"""

import inspect
import json
import os
import re
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

from socialsite import keys
from socialsite.keys import Key

FILE = Path(__file__).with_name("keys.tsv")
NAMES = {
    **vars(keys),
    "UTC": UTC,
    "date": date,
    "datetime": datetime,
    "timedelta": timedelta,
    "timezone": timezone,
}
# Constants are part of formats too, such as the number of shards.
OF_KEYS = {
    name
    for name, of in vars(keys).items()
    if (name.isupper() and name != "UTC")
    or (inspect.isfunction(of) and of.__module__.startswith("socialsite.keys."))
}


def rows() -> list[list[str]]:
    return [line.split("\t") for line in FILE.read_text().splitlines()]


def result_of(call: str) -> str:
    return json.dumps(eval(call, NAMES))


def test_a_format_is_as_it_was():
    if os.environ.get("KEYS") == "write":
        lines = ["\t".join([call, *(result or [result_of(call)])]) for call, *result in rows()]
        FILE.write_text("\n".join(lines) + "\n")
    changed = {call: result_of(call) for call, result in rows() if result_of(call) != result}
    assert changed == {}


def test_every_function_and_constant_has_a_row():
    assert {re.match(r"\w+", call)[0] for call, *_ in rows()} == OF_KEYS


def test_no_two_kinds_of_item_share_a_key():
    written: dict[str, str] = {}
    for call, result in rows():
        if isinstance(eval(call, NAMES), Key):
            assert written.setdefault(result, call) == call
