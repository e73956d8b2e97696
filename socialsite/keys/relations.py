"""Keys of how people relate, and of tags that people follow."""

import zlib

from socialsite.keys.key import Key, bounds
from socialsite.keys.posts import pointer


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


def all_muted_words(user_id: str) -> str:
    """Returns the partition of the one item with someone's muted words. It is one of its own, as whoever is shown as a
    person is read with all that stands in `u#<user>`."""
    return f"u#{user_id}#muted"


def muted_words(user_id: str) -> Key:
    return Key(all_muted_words(user_id), "words")


def person_lists(user_id: str) -> str:
    return f"u#{user_id}#list"


def person_list(user_id: str, list_id: str) -> Key:
    return Key(person_lists(user_id), f"l#{list_id}")


def listings(user_id: str) -> str:
    """Returns the partition that says in whose lists a person is."""
    return f"u#{user_id}#listed"


def listing(user_id: str, owner_id: str, list_id: str) -> Key:
    return Key(listings(user_id), f"u#{owner_id}#l#{list_id}")


def listing_bounds(owner_id: str) -> tuple[str, str]:
    return bounds(f"u#{owner_id}#")


UNSPACED_FROM = "\u2e80"  # from here on one sign is a syllable or a word


def tagged_posts(tag: str) -> str:
    return f"tag#{tag}#post"


def tag_entry(tag: str, post_id: str, author_id: str) -> Key:
    return Key(tagged_posts(tag), pointer(post_id, author_id))


TOPIC_SHARDS = 4


def topic_authors(hour: str, shard: int) -> str:
    """Returns the partition of one shard of those who used tags in an hour, such as `2026-11-28T09`."""
    return f"trend#{hour}#{shard}"


def topic_author(hour: str, tag: str, author_id: str) -> Key:
    """Returns the key of someone who used a tag in an hour: they have one, however much they post."""
    shard = zlib.crc32(author_id.encode()) % TOPIC_SHARDS
    return Key(topic_authors(hour, shard), f"t#{tag}#u#{author_id}")


def followed_tags(user_id: str) -> str:
    return f"u#{user_id}#tag"


def followed_tag(user_id: str, tag: str) -> Key:
    return Key(followed_tags(user_id), f"t#{tag}")


def tag_followers(tag: str) -> str:
    return f"tag#{tag}#follower"


def tag_follower(tag: str, user_id: str) -> Key:
    return Key(tag_followers(tag), f"u#{user_id}")


def tag_index(beginning: str) -> str:
    """Returns the partition of the tags that begin so. Its name has two letters, or one sign of a script in which one
    says as much."""
    letters = 1 if beginning >= UNSPACED_FROM else 2
    return f"find#tag#{beginning[:letters]}"


def tag_use(tag: str) -> Key:
    return Key(tag_index(tag), tag)


def tag_bounds(beginning: str) -> tuple[str, str]:
    return bounds(beginning)
