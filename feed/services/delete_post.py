"""Deleting a post. It is gone for every reader at once, because timelines only point at it. The stream worker clears
its likes."""

from contextlib import suppress

from pynamodb.expressions.condition import Condition

from accounts.viewer import Viewer
from feed.models import Audience, Post
from feed.post_count import count_posts
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


class AlreadyDeleted(NotFound):
    """The post does not exist (any more)."""


@access_pattern
def delete_post(*, by: Viewer, post_id: str) -> None:
    """Deletes one of the signed-in person's own posts; safe to repeat.

    One TransactWriteItems deletes Post and LikeCount and subtracts from the post count, 6 write units. The keys use the
    signed-in person's id, so nobody can delete someone else's post. Posts for some people are counted apart, and
    withheld posts not at all. So if there is no post for everyone, a second transaction deletes one for some, 6 write
    units, and a third a withheld one, 4.
    """
    post, like_count = keys.post(by.user_id, post_id), keys.like_count(post_id)
    shown = Post.withheld.does_not_exist()
    kinds: list[tuple[Condition, dict[str, int]]] = [
        (shown & Post.audience.does_not_exist(), {Audience.EVERYONE: -1}),
        (shown & Post.audience.exists(), {"for some": -1}),
        (Post.withheld.exists(), {}),
    ]
    for is_of_this_kind, changes in kinds:
        with suppress(AlreadyDeleted):
            counted = count_posts(by.user_id, changes)
            transact(Delete(post, is_of_this_kind, AlreadyDeleted), Delete(like_count), *counted)
            return
