"""Ids that sort by time: ULIDs, minted here and nowhere else.

A person's id, a post's id and a sign-in's place in a list are ULIDs (https://github.com/ulid/spec), so that a sort
key made of one is in time order and the time itself need not be stored to be read.
"""

import re
from datetime import UTC, datetime, timedelta

from ulid import ULID, LaxMonotonicPolicy, ULIDGenerator

PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}"

# ULIDs leave out I, L, O and U; Python's digits of base 32 run on to V.
_TO_BASE_32 = str.maketrans("0123456789ABCDEFGHJKMNPQRSTVWXYZ", "0123456789ABCDEFGHIJKLMNOPQRSTUV")

_generator = ULIDGenerator(policy=LaxMonotonicPolicy())
_matches = re.compile(PATTERN).fullmatch


def new_id() -> str:
    """A new id; within one process a later call never sorts before an earlier one of the same millisecond."""
    return str(_generator.generate())


def id_at(moment: datetime, randomness: bytes) -> str:
    """The id of a moment with given 10 random bytes: for data that is made up."""
    milliseconds = int(moment.timestamp() * 1000)
    return str(ULID.from_bytes(milliseconds.to_bytes(6, "big") + randomness))


def is_id(text: str) -> bool:
    return _matches(text) is not None


def time_of(ulid: str) -> datetime:
    """When the id was minted, in UTC. Reads the first ten digits only: pages ask it for every post."""
    return datetime.fromtimestamp(int(ulid[:10].translate(_TO_BASE_32), 32) / 1000, UTC)


def last_id_before(moment: datetime) -> str:
    """The largest id of the millisecond before: nothing minted earlier sorts after it."""
    return str(ULID.from_datetime(moment - timedelta(milliseconds=1)))[:10] + "Z" * 16


def first_id_at(moment: datetime) -> str:
    """The smallest id of that millisecond: everything minted since sorts at or after it."""
    return str(ULID.from_datetime(moment))[:10] + "0" * 16
