"""Favourites: people whose posts are in a timeline of their own, and notifications of each new post of one. Hiding
what someone reposts, while their own posts stay in the home timeline. Following a tag: new posts with it come into
the home timeline; at most 50, all read at once. Dismissing a suggested person, and undoing it. Nobody else learns of
any of them; tags are counted, without names (`relations/topics.py`)."""

from contextlib import suppress
from datetime import timedelta

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from relations.models import (
    Dismissal,
    FollowedTag,
    PostSubscriber,
    Relation,
    RelationType,
    TagFollower,
)
from relations.relation import (
    IN_FORCE,
    AlreadyRelated,
    CannotRelateToYourself,
    NotAFavourite,
    TooManyFavourites,
    TooManyWithoutReposts,
    create_relation,
    delete_relation,
    is_in_force,
)
from socialsite.clock import utc_now, utc_now_iso
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Delete,
    Erase,
    NotFound,
    Put,
    TableError,
    access_pattern,
    change,
    fetch,
    keys,
    query,
    row,
    transact,
)

FAVOURITE = RelationType.FAVOURITE
MOST_FAVOURITES = 30  # favourites, whose posts are merged on reading


@access_pattern
def favourite(*, by: Viewer, user_id: str) -> None:
    """Makes a person a favourite. Safe to repeat. Raises `NotFound` if they are gone, `Blocked`, `TooManyFavourites`,
    `Frozen`.

    One Query of the favourites so far, 0.5 read units per 4 KB, then the GetItem and the TransactWriteItems of
    `create_relation`, 7 write units. In all 7 write units and 1 read unit. Two browsers at once may exceed the limit by
    one, which does no harm.
    """
    by.must_have_voice()
    bounds = keys.relation_bounds(FAVOURITE)
    stars = [raw for raw in query(keys.relations(by.user_id), between=bounds) if is_in_force(raw)]
    if len(stars) >= MOST_FAVOURITES:
        raise TooManyFavourites
    try:
        create_relation(by=by, relation_type=FAVOURITE, user_id=user_id)
    except AlreadyRelated:
        return


@access_pattern
def unfavourite(*, by: Viewer, user_id: str) -> None:
    """Removes a favourite, and ends the notifications of their posts. Safe to repeat. One TransactWriteItems, 5 write
    units."""
    delete_relation(by=by, relation_type=FAVOURITE, user_id=user_id)


@access_pattern
def subscribe(*, by: Viewer, user_id: str) -> None:
    """Has the stream worker notify the person of each new post of a favourite. Safe to repeat. Raises `NotAFavourite`.

    One TransactWriteItems of the favourite and its mirror in the author's partition, 6 write units with its move in
    `typeIndex`.
    """
    key = keys.relation(by.user_id, RelationType.FAVOURITE, user_id)
    chosen = [Relation.subscribed.set(True), Relation.update_time.set(utc_now_iso())]
    transact(
        Change(Relation, key, chosen, condition=IN_FORCE, otherwise=NotAFavourite),
        Put(PostSubscriber.new(user_id=user_id, subscriber_id=by.user_id)),
    )


@access_pattern
def unsubscribe(*, by: Viewer, user_id: str) -> None:
    """Ends the notifications of a person's posts. Safe to repeat. One TransactWriteItems, 6 write units."""
    key = keys.relation(by.user_id, RelationType.FAVOURITE, user_id)
    updated = Relation.update_time.set(utc_now_iso())
    with suppress(NotFound):  # never a favourite, so never subscribed
        transact(
            Change(Relation, key, [Relation.subscribed.remove(), updated]),
            Erase(keys.post_subscriber(user_id, by.user_id)),
        )


MOST = 100  # people, so that the settings stay a small item


@access_pattern
def hide_reposts(*, by: Viewer, user_id: str) -> None:
    """Leaves a person's reposts out of the home timeline from the next read on. Safe to repeat. Raises
    `TooManyWithoutReposts`. One UpdateItem of the own settings, 1 write unit."""
    if user_id not in by.without_reposts and len(by.without_reposts) >= MOST:
        raise TooManyWithoutReposts
    hidden = [UserSettings.without_reposts.add({user_id})]
    change(UserSettings, keys.user_settings(by.user_id), hidden)


@access_pattern
def show_reposts(*, by: Viewer, user_id: str) -> None:
    """Shows a person's reposts in the home timeline again. Safe to repeat. One UpdateItem of the own settings, 1 write
    unit."""
    shown = [UserSettings.without_reposts.delete({user_id})]
    change(UserSettings, keys.user_settings(by.user_id), shown)


@access_pattern
def list_followed_tags(viewer: Viewer) -> list[str]:
    """Returns the tags that the viewer follows, in the order of their letters. Query `PK = u#<id>#tag`, 0.5 read units
    per 4 KB."""
    return [row(FollowedTag, raw).tag for raw in query(keys.followed_tags(viewer.user_id))]


@access_pattern
def is_followed_tag(tag: str, *, viewer: Viewer) -> bool | None:
    """Returns whether the viewer follows a tag, None for visitors. BatchGetItem of one key, 0.5 read units."""
    if not viewer.is_authenticated:
        return None
    return bool(fetch([keys.followed_tag(viewer.user_id, tag)]))


def followed_tags_now(user_id: str) -> set[str]:
    """Returns the tags that a person follows, for the stream worker: read consistently, 1 read unit per 4 KB."""
    rows = query(keys.followed_tags(user_id), consistent=True)
    return {row(FollowedTag, raw).tag for raw in rows}


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


HOLDS_FOR = timedelta(days=90)


class AlreadyDismissed(AlreadyExists):
    """The dismissal is already in force."""


class NotDismissed(NotFound):
    """There is no dismissal to undo."""


@access_pattern
def dismiss_suggestion(*, by: Viewer, user_id: str) -> None:
    """Stops suggesting a person for 90 days. Safe to repeat.

    One TransactWriteItems that puts `u#<id>#dismissal`, 2 write units. Every read of suggestions checks it, so it takes
    effect at once.
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself
    ttl = utc_now() + HOLDS_FOR
    item = Dismissal.new(user_id=by.user_id, other_id=user_id, ttl=ttl)
    try:
        transact(Create(item, otherwise=AlreadyDismissed, over_expired=True))
    except AlreadyDismissed:
        return


@access_pattern
def restore_suggestion(*, by: Viewer, user_id: str) -> None:
    """Lets a person be suggested again; safe to repeat. One TransactWriteItems, 2 write units."""
    try:
        transact(Delete(keys.dismissal(by.user_id, user_id), otherwise=NotDismissed))
    except NotDismissed:
        return
