"""What of a person's relationships goes with their account, with what others have about them."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from accounts.erasing import Handled, Leaver, erases, first_of
from relations.follows.writes import remove_follower, unfollow
from relations.friends.writes import end_friendship
from relations.models import FollowedTag, Follower, Following, Relation, RelationType
from relations.own_choices.writes import unfollow_tag
from relations.relation import is_in_force
from socialsite.table import (
    Conflict,
    Key,
    NotFound,
    RawItem,
    fetch,
    key_of,
    keys,
    query_index,
    row,
    type_index_name,
    write_batch,
)

AT_ONCE = 25


@erases("followers")
def erase_followers(leaver: Leaver) -> Handled:
    """Ends the next follows of the person, before their posts go, so that the worker takes those out of the followers'
    timelines. One Query; 8 write units each, as `remove_follower`."""
    found = first_of(keys.followers(leaver.user_id), AT_ONCE)
    for raw in found:
        follower_id = row(Follower, raw).follower_id
        with _cleared(follower_id, leaver.user_id):
            remove_follower(by=leaver.viewer, user_id=follower_id)
    return Handled(followers=len(found))


@erases("follows")
def erase_followings(leaver: Leaver) -> Handled:
    """Ends the person's next follows of others. One Query; 8 write units each, as `unfollow`."""
    found = first_of(keys.followings(leaver.user_id), AT_ONCE)
    for raw in found:
        followed_id = row(Following, raw).followed_id
        with _cleared(leaver.user_id, followed_id):
            unfollow(by=leaver.viewer, user_id=followed_id)
    return Handled(follows=len(found))


@erases("relations")
def erase_own_relations(leaver: Leaver) -> Handled:
    """Deletes the person's next relationships, in force or ended, with whatever the other person has about them.

    One Query; of a friend 10 write units as `end_friendship`, then 9 each by BatchWriteItem.
    """
    found = first_of(keys.relations(leaver.user_id), AT_ONCE)
    for raw in found:
        _end(leaver, row(Relation, raw).other_id, raw)
    return Handled(relations=len(found))


@erases("relations of others")
def erase_relations_of_others(leaver: Leaver) -> Handled:
    """Deletes the next relationships in force that others have with the person: found by `typeIndex`, which does not
    know those that ended (the search does). Six Queries; 9 write units each."""
    found: list[RawItem] = []
    for kind in RelationType:
        target = keys.relation_target(kind, leaver.user_id)
        found += query_index(type_index_name, target, limit=AT_ONCE)
    for raw in found:
        _end(leaver, row(Relation, raw).user_id, raw)
    return Handled(relations=len(found))


def _end(leaver: Leaver, other_id: str, raw: RawItem) -> None:
    if row(Relation, raw).relation_type == RelationType.FRIEND and is_in_force(raw):
        with suppress(NotFound):
            end_friendship(by=leaver.viewer, user_id=other_id)
    write_batch(deletes=_between(leaver.user_id, other_id))


def _between(user_id: str, other_id: str) -> Iterator[Key]:
    for one, other in ((user_id, other_id), (other_id, user_id)):
        yield keys.post_subscriber(one, other)
        for kind in RelationType:
            yield keys.relation(one, kind, other)


@contextmanager
def _cleared(follower_id: str, followed_id: str) -> Iterator[None]:
    """Deletes what the service inside cannot end: edges with someone whose counts are gone, or only one of the two."""
    edges = keys.following(follower_id, followed_id), keys.follower(followed_id, follower_id)
    try:
        yield
    except NotFound:
        write_batch(deletes=edges)
    except Conflict:
        found = fetch(edges, consistent=True)
        if len(found) == len(edges):
            raise
        write_batch(deletes=found)


TAGS_AT_ONCE = 50


@erases("tags")
def erase_followed_tags(leaver: Leaver) -> Handled:
    """Unfollows the next tags. One Query; 4 write units each as `unfollow_tag`, and 1."""
    found = first_of(keys.followed_tags(leaver.user_id), TAGS_AT_ONCE)
    for raw in found:
        unfollow_tag(by=leaver.viewer, tag=row(FollowedTag, raw).tag)
    write_batch(deletes=map(key_of, found))
    return Handled(tags=len(found))
