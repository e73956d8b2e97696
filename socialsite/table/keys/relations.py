"""Keys of relationships."""

from socialsite.table.keys.key import Key, bounds


def followers(user_id: str) -> str:
    return f"u#{user_id}#follower"


def follower(user_id: str, follower_id: str) -> Key:
    return Key(followers(user_id), f"u#{follower_id}")


def followings(user_id: str) -> str:
    return f"u#{user_id}#following"


def following(user_id: str, followed_id: str) -> Key:
    return Key(followings(user_id), f"u#{followed_id}")


def post_subscribers(author_id: str) -> str:
    return f"u#{author_id}#subscriber"


def post_subscriber(author_id: str, user_id: str) -> Key:
    return Key(post_subscribers(author_id), f"u#{user_id}")


def relations(user_id: str) -> str:
    return f"u#{user_id}#relation"


def relation(user_id: str, relation_type: int, other_id: str) -> Key:
    return Key(relations(user_id), relation_target(relation_type, other_id))


def relation_bounds(relation_type: int) -> tuple[str, str]:
    return bounds(f"{relation_type}#")


def relation_target(relation_type: int, other_id: str) -> str:
    """Returns the `typeIndex` partition of the relationships of a type with this person."""
    return f"{relation_type}#u#{other_id}"


def suggestions(user_id: str) -> Key:
    return Key(f"u#{user_id}#suggestion", "list")


def dismissals(user_id: str) -> str:
    return f"u#{user_id}#dismissal"


def dismissal(user_id: str, other_id: str) -> Key:
    return Key(dismissals(user_id), f"u#{other_id}")
