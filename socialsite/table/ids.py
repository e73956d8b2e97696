"""Ids that sort by time: ULIDs, made only here.

A person's id, a post's id and a sign-in's place in a list are ULIDs (https://github.com/ulid/spec). Sort keys with a
ULID are in time order, and the time can be read from the id without being stored.
"""

import re
from datetime import UTC, datetime, timedelta

from ulid import ULID, LaxMonotonicPolicy, ULIDGenerator

PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
LENGTH = 26  # characters

# ULIDs leave out I, L, O and U; Python's digits of base 32 run on to V.
_TO_BASE_32 = str.maketrans("0123456789ABCDEFGHJKMNPQRSTVWXYZ", "0123456789ABCDEFGHIJKLMNOPQRSTUV")

_generator = ULIDGenerator(policy=LaxMonotonicPolicy())
_matches = re.compile(PATTERN).fullmatch


def new_id() -> str:
    """Returns a new id. Within one process, later ids of the same millisecond never sort before earlier ones."""
    return str(_generator.generate())


def id_at(moment: datetime, randomness: bytes) -> str:
    """Returns the id of a moment with 10 given bytes: random ones for demo data, and for posts that were written
    elsewhere those of what names them there, so that the same post gets the same id."""
    milliseconds = int(moment.timestamp() * 1000)
    return str(ULID.from_bytes(milliseconds.to_bytes(6, "big") + randomness))


def is_id(text: str) -> bool:
    return _matches(text) is not None


def time_of(ulid: str) -> datetime:
    """Returns when the id was made, in UTC. Reads only the first ten digits, because pages ask for every post."""
    return datetime.fromtimestamp(int(ulid[:10].translate(_TO_BASE_32), 32) / 1000, UTC)


def last_id_before(moment: datetime) -> str:
    """Returns the largest id of the millisecond before. No earlier id sorts after it."""
    return str(ULID.from_datetime(moment - timedelta(milliseconds=1)))[:10] + "Z" * 16


def first_id_at(moment: datetime) -> str:
    """Returns the smallest id of this millisecond. All later ids sort at or after it."""
    return str(ULID.from_datetime(moment))[:10] + "0" * 16
