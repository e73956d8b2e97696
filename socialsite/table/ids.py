"""Ids that sort by time: ULIDs, minted here and nowhere else.

A person's id, a post's id and a sign-in's place in a list are ULIDs (https://github.com/ulid/spec), so that a sort
key made of one is in time order and the time itself need not be stored to be read.
"""

import re
from datetime import UTC, datetime, timedelta

from ulid import ULID, LaxMonotonicPolicy, ULIDGenerator

PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}"

_generator = ULIDGenerator(policy=LaxMonotonicPolicy())
_matches = re.compile(PATTERN).fullmatch


def new_id(at: datetime | None = None) -> str:
    """A new id; within one process a later call never sorts before an earlier one of the same millisecond."""
    if at is not None:
        return str(ULID.from_datetime(at))
    return str(_generator.generate())


def is_id(text: str) -> bool:
    return _matches(text) is not None


def time_of(ulid: str) -> datetime:
    """When the id was minted, in UTC."""
    return datetime.fromtimestamp(ULID.from_str(ulid).timestamp, UTC)


def last_id_before(moment: datetime) -> str:
    """The largest id of the millisecond before: nothing minted earlier sorts after it."""
    return str(ULID.from_datetime(moment - timedelta(milliseconds=1)))[:10] + "Z" * 16


def first_id_at(moment: datetime) -> str:
    """The smallest id of that millisecond: everything minted since sorts at or after it."""
    return str(ULID.from_datetime(moment))[:10] + "0" * 16
