"""Items about relationships: follows of people and tags, typed relationships with attributes, ways to find people."""

from datetime import datetime
from enum import IntEnum
from typing import Any, Self

from pynamodb.attributes import (
    BooleanAttribute,
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from accounts.models import SealedAttribute
from relations.muted_words.models import MutedWords as MutedWords
from socialsite.table import Item, keys


class DirectoryEntry(Item, discriminator="DirectoryEntry"):
    """One way to find a person: their handle, or their name from one of its words on, folded (`directory.py`)."""

    family = "people"
    page = "/@{user_id}"

    folded = UnicodeAttribute()
    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, letters: str, folded: str, user_id: str) -> Self:
        key = keys.directory_entry(letters, folded, user_id)
        return cls(*key, folded=folded, user_id=user_id)


class TagUse(Item, discriminator="TagUse"):
    """A tag under which posts stand, so that searches and completion find it by its beginning."""

    family = "timelines"
    page = "/tags/{tag}"

    tag = UnicodeAttribute()

    @classmethod
    def new(cls, *, tag: str, ttl: datetime) -> Self:
        return cls(*keys.tag_use(tag), tag=tag, ttl=ttl)


class Follower(Item, discriminator="Follower"):
    """In the followed person's partition: one of their followers. `seen` is a day on which the follower used the site,
    the last that a follow or a fan-out knew of. They may have been here since (`UserSettings.seen`). `quietly` says
    that the person is not told of the follow, as it was brought from elsewhere."""

    page = "/@{user_id}/followers"

    user_id = UnicodeAttribute()
    follower_id = UnicodeAttribute()
    muted_until = UnicodeAttribute(null=True)
    seen = UnicodeAttribute(null=True)
    quietly = BooleanAttribute(null=True)

    @classmethod
    def new(
        cls, *, user_id: str, follower_id: str, seen: str | None = None, quietly: bool = False
    ) -> Self:
        return cls(
            *keys.follower(user_id, follower_id),
            user_id=user_id,
            follower_id=follower_id,
            seen=seen,
            quietly=quietly or None,
        )


class Following(Item, discriminator="Following"):
    """In the follower's partition: a person they follow. The mirror image of `Follower`, written with it. `counted_by`
    says whether the stream worker counts its beginning or its end (`relations/follows/writes.py`)."""

    page = "/@{user_id}/following"

    user_id = UnicodeAttribute()
    followed_id = UnicodeAttribute()
    counted_by = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, followed_id: str, counted_by: str | None = None) -> Self:
        key = keys.following(user_id, followed_id)
        return cls(*key, user_id=user_id, followed_id=followed_id, counted_by=counted_by)


class FollowedTag(Item, discriminator="FollowedTag"):
    """In the follower's partition: a tag they follow."""

    family = "timelines"
    page = "/tags/{tag}"

    user_id = UnicodeAttribute()
    tag = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, tag: str) -> Self:
        return cls(*keys.followed_tag(user_id, tag), user_id=user_id, tag=tag)


class TagFollower(Item, discriminator="TagFollower"):
    """In the partition of a tag: a person who follows it. The mirror image of `FollowedTag`, written with it."""

    family = "timelines"
    page = "/tags/{tag}"

    user_id = UnicodeAttribute()
    tag = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, tag: str) -> Self:
        return cls(*keys.tag_follower(tag, user_id), user_id=user_id, tag=tag)


class RelationType(IntEnum):
    """What one person is to another. It is the first part of the sort key."""

    FRIEND = 1
    FAVOURITE = 2
    BLOCK = 3
    MUTE = 4
    FOLLOW_REQUEST = 5
    FRIEND_REQUEST = 6


# What copies the other person's place and pronouns, and keeps its first beginning: the lists that can be filtered.
COPYING = (RelationType.FRIEND, RelationType.FAVOURITE)


class Relation(Item, discriminator="Relation"):
    """A relationship, in the partition of the person who has it: the other person, the type, and a private note,
    sealed with their key.

    Softly deleted: `delete_status` ends it, and it leaves `typeIndex`, which holds only relationships in force.
    `location` and `gender` are copied from the other person, also folded (`relation.py`), and so is the `level` that
    they show, so that one Query can filter a list. A block is in both partitions, so that each person only reads their
    own: `blocked_by` says that the other person blocks. `subscribed` is of favourites: the person is notified of each
    new post (`PostSubscriber`). `created_at` is when it began, the last time if it ended between, and `first_at` when
    it began the very first time: friendships and favourites that ended once have it. `update_time` is when its owner
    changed it last: began or ended it, gave it other tags, another note or end, or chose to be notified.
    """

    page = "/@{other_id}"
    most_bytes = 24_576  # a note of 2,000 characters and 100 circles, in any script

    user_id = UnicodeAttribute()
    other_id = UnicodeAttribute()
    relation_type = NumberAttribute()
    tags = UnicodeSetAttribute(null=True)
    note = SealedAttribute(null=True)
    location = UnicodeAttribute(null=True)
    gender = UnicodeAttribute(null=True)
    folded_location = UnicodeAttribute(
        null=True
    )  # missing in those from before there were such copies
    folded_gender = UnicodeAttribute(null=True)
    level = UnicodeAttribute(null=True)  # missing unless they show it
    created_at = UnicodeAttribute()
    first_at = UnicodeAttribute(null=True)
    until = UnicodeAttribute(null=True)
    delete_status = BooleanAttribute(default=False)
    blocked_by = BooleanAttribute(null=True)
    subscribed = BooleanAttribute(null=True)
    quietly = BooleanAttribute(null=True)  # of a follow request that was brought from elsewhere


class PostSubscriber(Item, discriminator="PostSubscriber"):
    """In an author's partition: a person who is notified of each new post. Their favourite says so too (`subscribed`),
    and both are written together."""

    user_id = UnicodeAttribute()
    subscriber_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, subscriber_id: str) -> Self:
        key = keys.post_subscriber(user_id, subscriber_id)
        return cls(*key, user_id=user_id, subscriber_id=subscriber_id)


class PersonList(Item, discriminator="PersonList"):
    """A person's own list of people, for a timeline of theirs alone. `members` is everyone in it, at most 200, so that
    one key reads the list; each of them has a `Listing` too. `is_away` keeps them out of the owner's home timeline.

    With a `pack_title` it is a starter pack, which others see under this title with `pack_about`, unless moderators
    have `withdrawn` it. `left` are those who took themselves out of the pack. Its owner's list keeps them.
    """

    page = "/lists/{list_id}"
    most_bytes = 12_288  # 200 people in it and 200 who left, 26 bytes each

    user_id = UnicodeAttribute()
    list_id = UnicodeAttribute()
    name = UnicodeAttribute()
    members = UnicodeSetAttribute(null=True)
    is_away = BooleanAttribute(null=True)
    pack_title = UnicodeAttribute(null=True)
    pack_about = UnicodeAttribute(null=True)
    withdrawn = UnicodeAttribute(null=True)
    left = UnicodeSetAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, list_id: str, name: str) -> Self:
        key = keys.person_list(user_id, list_id)
        return cls(*key, user_id=user_id, list_id=list_id, name=name)


class Listing(Item, discriminator="Listing"):
    """In a person's partition: they are in a list of someone's. Written with `PersonList.members`, and seen by nobody:
    blocks and erasures find by it what to end, and the worker whose newest posts to keep."""

    user_id = UnicodeAttribute()
    owner_id = UnicodeAttribute()
    list_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, owner_id: str, list_id: str) -> Self:
        key = keys.listing(user_id, owner_id, list_id)
        return cls(*key, user_id=user_id, owner_id=owner_id, list_id=list_id)


class Suggestions(Item, discriminator="Suggestions"):
    """The people a person may know, best first, with the reasons why, and topics that these follow. After `fresh_until`
    pages still show them, and let the worker look anew."""

    family = "people"

    user_id = UnicodeAttribute()
    fresh_until = UnicodeAttribute(null=True)
    # Missing in those from before the attribute had this name.
    people = JSONAttribute(attr_name="suggested", null=True)
    topics = JSONAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        people: list[Any],
        topics: list[Any],
        fresh_until: datetime,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.suggestions(user_id),
            user_id=user_id,
            people=people,
            topics=topics or None,
            fresh_until=fresh_until.isoformat(timespec="seconds"),
            ttl=ttl,
        )


class Dismissal(Item, discriminator="Dismissal"):
    """Someone does not want to get a person suggested, until this item expires."""

    user_id = UnicodeAttribute()
    other_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, other_id: str, ttl: datetime) -> Self:
        return cls(*keys.dismissal(user_id, other_id), user_id=user_id, other_id=other_id, ttl=ttl)
