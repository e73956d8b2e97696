"""Keys of accounts that were closed: which are erased, and the receipts that stay."""

from socialsite.table.keys.key import Key


def receipt(receipt_id: str) -> Key:
    return Key(f"receipt#{receipt_id}", "receipt")


def erasures() -> str:
    """Returns the partition of the people who are erased, until the whole table was searched for them."""
    return "erasure"


def erasure(user_id: str) -> Key:
    return Key(erasures(), f"u#{user_id}")


# What a person has besides their profile and their ways in, one partition for each. Strikes are evidence, and stay for
# a term.
OWN = (
    "follower",
    "following",
    "subscriber",
    "relation",
    "suggestion",
    "dismissal",
    "post",
    "media",
    "submission",
    "timeline",
    "recent",
    "trace",
    "tag",
    "shelf",
    "photo",
    "notification",
    "note",
    "report",
    "wish",
    "export",
)


def own_partitions(user_id: str) -> list[str]:
    """Returns the partitions that an erasure leaves empty, but for that of the profile."""
    return [f"u#{user_id}#{name}" for name in OWN]
