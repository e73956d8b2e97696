"""Fills the timeline after a tag is followed, and clears it after the tag is followed no longer, except for posts that
come another way."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice

from django.conf import settings

from feed.models import Post, TimelineEntry
from feed.pointers import Pointer, entry_of, pointer_of
from feed.post_tags import listed_tags
from relations.followed_tags import followed_tags_now
from relations.models import FollowedTag, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.leases.late_writes import Recent, remember, settles
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys
from socialsite.table.keys import Key
from socialsite.table.reading import fetch, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch, write_differing
from tags.models import TagEntry

BROUGHT = 20  # posts of a tag that is followed anew
CHUNK = 100

KeyOf = Callable[[str], Key]


@on(FollowedTag, "INSERT")
def fill_with_tag(change: Change, ledger: Ledger) -> None:
    """Puts the newest posts with a tag into the timeline. Safe to run twice: the entries have fixed keys."""
    followed = change.item
    assert isinstance(followed, FollowedTag)
    remember(change, Recent.TAG, followed.user_id, followed.tag)
    write_batch(puts=newest_tagged(followed.user_id, followed.tag))
    ledger.note_effect()


def newest_tagged(user_id: str, tag: str) -> list[TimelineEntry]:
    """Returns entries for the newest posts with a tag, at most 20, without those of people whom the person follows,
    mutes, or is kept apart from by a block: two of these have their own ways into a timeline, or out of it.

    A consistent Query of the posts, and a BatchGetItem of 3 keys an author, 1 read unit each.
    """
    oldest = utc_now() - timedelta(days=settings.TIMELINE_DAYS)
    rows = query(keys.tagged_posts(tag), forward=False, consistent=True, limit=BROUGHT)
    listed = {pointer_of(raw): row(TagEntry, raw).ttl for raw in islice(rows, BROUGHT)}
    left_out = {user_id, *_not_to_be_brought(user_id, {one.author_id for one in listed})}
    return [
        entry_of(one, user_id, ends=end)
        for one, end in listed.items()
        if one.author_id not in left_out and ids.time_of(one.post_id) > oldest
    ]


def _not_to_be_brought(user_id: str, author_ids: set[str]) -> Iterator[str]:
    def follow(author_id: str) -> Key:
        return keys.following(user_id, author_id)

    def mute(author_id: str) -> Key:
        return keys.relation(user_id, RelationType.MUTE, author_id)

    def block(author_id: str) -> Key:
        return keys.relation(user_id, RelationType.BLOCK, author_id)

    asked = [key_of(one) for one in author_ids for key_of in (follow, mute, block)]
    found = fetch(asked, consistent=True)
    for one in author_ids:
        is_muted = is_in_force(found.get(mute(one)))
        if follow(one) in found or is_muted or blocks_either_way(found.get(block(one))):
            yield one


@on(FollowedTag, "REMOVE")
def clear_of_tag(change: Change, ledger: Ledger) -> None:
    """Takes posts that a tag brought out of the timeline. Those stay that another followed tag brings too, or whose
    author is followed by now.

    A consistent Query of the whole timeline and one of the followed tags, BatchGetItems of the posts that the tag
    brought and of the follow edges of their authors, BatchWriteItems. Safe to run twice: the present state decides.
    """
    unfollowed = change.item
    assert isinstance(unfollowed, FollowedTag)
    remember(change, Recent.TAG, unfollowed.user_id, unfollowed.tag)
    settle_tag(unfollowed.user_id, unfollowed.tag)
    ledger.note_effect()


@settles(Recent.TAG)
def settle_tag(user_id: str, tag: str) -> None:
    """Takes posts that a tag brought out of a timeline, or puts the newest in if the tag is followed now. May run at
    any time."""
    tags = followed_tags_now(user_id)
    if tag in tags:
        write_differing(puts=newest_tagged(user_id, tag))
        return
    entries = (pointer_of(raw) for raw in query(keys.timeline(user_id), consistent=True))
    brought = (one for one in entries if one.tag == tag)
    while chunk := list(islice(brought, CHUNK)):
        _clear(user_id, chunk, tags)


def _clear(user_id: str, brought: Sequence[Pointer], tags: set[str]) -> None:
    posts = {one: keys.post(one.author_id, one.post_id) for one in brought}
    edges = {one: keys.following(user_id, one.author_id) for one in brought}
    found = fetch([*posts.values(), *edges.values()], consistent=True)
    staying: list[TimelineEntry] = []
    leaving: list[Key] = []
    for one in brought:
        raw = found.get(posts[one])
        other = min(listed_tags(row(Post, raw) if raw else None) & tags, default="")
        ends = row(Post, raw).ttl if raw else None
        entry = entry_of(one._replace(tag=other), user_id, ends=ends)
        if other or edges[one] in found:
            staying.append(entry)
        else:
            leaving.append(entry.key)
    write_batch(puts=staying, deletes=leaving)
