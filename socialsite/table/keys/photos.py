"""Keys of people's photos."""

from socialsite.table.keys.key import Key


def photos(user_id: str) -> str:
    return f"u#{user_id}#photo"


def photo(user_id: str, photo_id: str) -> Key:
    return Key(photos(user_id), f"ph#{photo_id}")
