"""What the posts say at which a list points."""

from collections.abc import Iterator, Sequence

from accounts.models import UserInfo
from feed.models import Post
from feed.pointers import pointer_of
from feed.polls.said import said_by
from socialsite.table import keys
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row


def texts_of(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, list[str]]]:
    """Yields each raw item with the text of its post, the content warning, and its author's name and handle. What is
    gone says nothing. They are compared only: what the viewer may see is for the caller to ask.

    One BatchGetItem of two keys an item, at most 50 read units for 50 items.
    """
    pointers = [pointer_of(raw) for raw in raws]
    posts = [keys.post(one.author_id, one.post_id) for one in pointers]
    authors = [keys.user_info(one.author_id) for one in pointers]
    read = fetch([*posts, *authors])
    for raw, post_key, author_key in zip(raws, posts, authors, strict=True):
        post = row(Post, read.get(post_key, {}))
        author = row(UserInfo, read.get(author_key, {}))
        yield raw, [said_by(post), post.warning or "", author.name, author.handle]
