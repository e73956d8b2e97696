"""Following a tag: new posts with it come into the home timeline. Nobody else learns of it."""

from contextlib import suppress

from accounts.viewer import Viewer
from relations.followed_tags import followed_tags_now
from relations.models import FollowedTag, TagFollower
from socialsite.table import keys
from socialsite.table.actions import Create, Delete
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

MOST_FOLLOWED_TAGS = 50


class TooManyTags(TableError):
    """The person has reached the limit of followed tags."""


class AlreadyFollowsTag(AlreadyExists):
    """The person follows the tag."""


class NotFollowedTag(NotFound):
    """The person does not follow the tag."""


@access_pattern
def follow_tag(*, by: Viewer, tag: str) -> None:
    """Follows a folded tag. Safe to repeat. Raises `TooManyTags`.

    A consistent Query of the tags so far, 1 read unit per 4 KB, then one TransactWriteItems of both items, 4 write
    units. Two browsers at once may exceed the limit by one, which does no harm. Later the stream worker brings the
    newest posts with the tag into the timeline, and from then on new ones.
    """
    followed = followed_tags_now(by.user_id)
    if tag not in followed and len(followed) >= MOST_FOLLOWED_TAGS:
        raise TooManyTags
    with suppress(AlreadyFollowsTag):
        transact(
            Create(FollowedTag.new(user_id=by.user_id, tag=tag), otherwise=AlreadyFollowsTag),
            Create(TagFollower.new(user_id=by.user_id, tag=tag), otherwise=AlreadyFollowsTag),
        )


@access_pattern
def unfollow_tag(*, by: Viewer, tag: str) -> None:
    """Unfollows a tag. Safe to repeat. One TransactWriteItems, 4 write units. Later the stream worker takes the posts
    that it brought out of the timeline."""
    with suppress(NotFollowedTag):
        transact(
            Delete(keys.followed_tag(by.user_id, tag), otherwise=NotFollowedTag),
            Delete(keys.tag_follower(tag, by.user_id), otherwise=NotFollowedTag),
        )
