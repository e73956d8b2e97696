"""Decides whether someone may answer in a thread. The author of its root chose a rule for the whole thread.

The page asks `why_closed` before it shows a composer, and the transaction that writes a reply holds the same rule once
more (`must_be_allowed`).
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from accounts.viewer import Viewer
from feed.expiring.moments import is_there
from feed.models import Post, Replies
from feed.models.versions import is_version
from feed.post_count import has_audience
from feed.visibility import Sight
from relations.models import RelationType
from relations.relation import IN_FORCE
from socialsite.table import keys
from socialsite.table.actions import Check, WriteAction
from socialsite.table.errors import TableError
from socialsite.table.reading import RawItem
from socialsite.table.row import row


class CannotReply(TableError):
    """The thread takes no reply of this person. `sentence` says why."""

    status = 403

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NoLongerAllowed(TableError):
    """The person was allowed to answer when the thread was read, and is not any more."""


def why_closed(viewer: Viewer, root: RawItem | None, sight: Sight) -> str:
    """Returns why the viewer may not answer in the thread of this root, in a sentence; empty if they may."""
    if root is None:
        return _("The first post of this conversation is gone, so it takes no more replies.")
    post = row(Post, root)
    if post.author_id == viewer.user_id:
        return ""
    match post.replies:
        case Replies.FOLLOWERS if not sight.follows:
            return _("Only followers of the author can reply.")
        case Replies.FRIENDS if not sight.is_friend:
            return _("Only friends of the author can reply.")
        case Replies.MENTIONED if not is_mentioned(viewer.user_id, root):
            return _("Only people mentioned in the first post can reply.")
        case Replies.NOBODY:
            return _("The author has turned replies off.")
    return ""


def is_mentioned(user_id: str, root: RawItem) -> bool:
    """Whether a raw root mentions the person, by their id: a handle may be somebody else's by now."""
    mentioned = root.get("mentions", {}).get("M", {})
    return any(one["S"] == user_id for one in mentioned.values())


def must_be_allowed(by: Viewer, root: RawItem) -> Iterator[WriteAction]:
    """Yields the conditions on which the reply is written: the root is as it was read, and the relationship that its
    author asks for still holds."""
    post = row(Post, root)
    policy = post.replies
    as_read = (
        is_there()
        & Post.withheld.does_not_exist()
        & (Post.replies == policy if policy else Post.replies.does_not_exist())
        & has_audience(post)
    )
    if policy == Replies.MENTIONED:  # an edit may have taken the mention away
        as_read &= is_version(post)
    yield Check(keys.post(post.author_id, post.post_id), as_read, NoLongerAllowed)
    if post.author_id == by.user_id:
        return
    match policy:
        case Replies.FOLLOWERS:
            yield Check(keys.following(by.user_id, post.author_id), otherwise=NoLongerAllowed)
        case Replies.FRIENDS:
            friendship = keys.relation(post.author_id, RelationType.FRIEND, by.user_id)
            yield Check(friendship, IN_FORCE, NoLongerAllowed)
