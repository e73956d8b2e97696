"""Keys of tags: the posts that have one, the people who follow one, and how tags are found. A folded tag holds no
`#`."""

from socialsite.table.keys.key import Key, bounds
from socialsite.table.keys.posts import pointer

UNSPACED_FROM = "\u2e80"  # from here on one sign is a syllable or a word


def tagged_posts(tag: str) -> str:
    return f"tag#{tag}#post"


def tag_entry(tag: str, post_id: str, author_id: str) -> Key:
    return Key(tagged_posts(tag), pointer(post_id, author_id))


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
