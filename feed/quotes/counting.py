"""Which posts count as quotes."""

from feed.models import Post
from socialsite.table.item import Item


def is_counted(post: Post) -> bool:
    """Whether readers can see that a post quotes another."""
    return bool(post.quote_of) and not (post.withheld or post.audience or post.quote_withdrawn)


def difference(old: Item | None, new: Item | None) -> int:
    """Returns by how much a change of a post changes the count of quotes of the post that it quotes."""
    was, is_now = (isinstance(one, Post) and is_counted(one) for one in (old, new))
    return is_now - was
