"""Keys of what staff list and note about people."""

import zlib

from socialsite.table.keys.key import Key

PEOPLE_SHARDS = 4  # of each list of people, so that no sign-ups wait for each other


def new_people(month: str, shard: int) -> str:
    """Returns the partition of one shard of the people who signed up in a month (`2026-11`)."""
    return f"people#{month}#{shard}"


def new_person(month: str, user_id: str) -> Key:
    return Key(new_people(month, _shard(user_id)), f"u#{user_id}")


def restricted_people(shard: int) -> str:
    return f"restricted#{shard}"


def restricted_person(user_id: str, until: str) -> Key:
    """Returns the key of a restricted person. They sort by the moment at which the restriction ends."""
    return Key(restricted_people(_shard(user_id)), f"{until}#u#{user_id}")


def person_notes(user_id: str) -> str:
    return f"u#{user_id}#note"


def person_note(user_id: str, note_id: str) -> Key:
    return Key(person_notes(user_id), f"n#{note_id}")


def _shard(user_id: str) -> int:
    return zlib.crc32(user_id.encode()) % PEOPLE_SHARDS
