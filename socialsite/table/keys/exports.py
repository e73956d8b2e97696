"""Keys of what a person takes with them."""

from socialsite.table.keys.key import Key


def export(user_id: str) -> Key:
    """Returns the key of a person's export. It is one item, so there is at most one at a time."""
    return Key(f"u#{user_id}#export", "export")
