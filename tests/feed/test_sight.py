"""What decides who sees a post, without a table: the post, its author, and what the viewer is to both."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.posts.models import Answer, Audience, Post, Quoted, Story, TimelineEntry, Withheld
from feed.posts.reads import (
    STRANGER,
    Head,
    Pointer,
    Sight,
    answers_another,
    audience_of,
    block_keys,
    can_view,
    entry_of,
    is_for_some,
    is_open,
    is_plain,
    listed_tags,
    mute_keys,
    pointer_of,
    pointer_of_post,
    sight_keys,
    sight_of,
    stands_in_lists,
    timeline_end,
)
from relations.models import Following, Relation, RelationType
from socialsite.table import ids, keys

POST, OTHER_POST = ids.new_id(), ids.new_id()
ALICE, BOB, CAROL = ids.new_id(), ids.new_id(), ids.new_id()
FAMILY = "family"


def card(user_id=ALICE, **more):
    return PersonCard(user_id, "alice", "Alice", "/@alice", "", **more)


def said(audience="", *, author_id=ALICE, content="Hello", **more):
    return Post.new(
        post_id=POST, author_id=author_id, content=content, audience=audience,
        circle=FAMILY if audience == Audience.CIRCLE else "", **more,
    )  # fmt: skip


def raw(audience="", **more):
    return said(audience, **more).serialize()


def viewer(user_id):
    return Viewer(user_id, "", card(user_id))


ME = viewer(BOB)
FOLLOWER, FRIEND = Sight(follows=True), Sight(is_friend=True)
IN_CIRCLE = Sight(is_friend=True, circles=(FAMILY,))
EVERYTHING = Sight(follows=True, is_friend=True, circles=(FAMILY,))
ANSWER = Answer(OTHER_POST, CAROL, OTHER_POST, CAROL, POST)


@pytest.mark.parametrize(
    ("audience", "seeing"),
    [
        (Audience.EVERYONE, [STRANGER, FOLLOWER, FRIEND, IN_CIRCLE]),
        (Audience.FOLLOWERS, [FOLLOWER]),
        (Audience.FRIENDS, [FRIEND, IN_CIRCLE]),
        (Audience.CIRCLE, [IN_CIRCLE]),
        (Audience.ONLY_ME, []),
    ],
)
def test_an_audience_is_those_who_are_that_to_the_author(audience, seeing):
    of_all = [STRANGER, FOLLOWER, FRIEND, IN_CIRCLE]
    assert [one for one in of_all if can_view(ME, raw(audience), card(), one)] == seeing
    assert [one for one in of_all if is_open(Head(raw(audience), card(), one))] == seeing
    assert is_for_some(raw(audience), card()) == (audience != Audience.EVERYONE)
    assert not is_for_some(raw(audience), card(is_self=True))


def test_a_circle_is_for_friends_in_it_alone():
    assert not can_view(ME, raw(Audience.CIRCLE), card(), Sight(circles=(FAMILY,)))
    assert not can_view(ME, raw(Audience.CIRCLE), card(), Sight(is_friend=True, circles=("work",)))


def test_an_author_sees_all_of_their_own():
    own = card(is_self=True, is_paused=True)
    assert can_view(ME, raw(Audience.ONLY_ME, withheld=Withheld.HIDDEN), own)
    assert is_open(Head(raw(Audience.ONLY_ME), own))


@pytest.mark.parametrize(
    "away",
    [{"is_waiting": True}, {"is_paused": True}, {"closing": "now"}, {"suspended_until": "later"}],
)
def test_nobody_else_sees_a_post_of_an_author_who_is_not_there(away):
    assert not can_view(ME, raw(), card(**away), EVERYTHING)


@pytest.mark.parametrize("withheld", Withheld)
def test_nobody_else_sees_a_withheld_post(withheld):
    assert not can_view(ME, raw(withheld=withheld), card(), EVERYTHING)


def test_a_block_hides_a_post_whatever_else_they_are_to_each_other():
    hidden = Sight(is_hidden=True, follows=True, is_friend=True)
    assert not can_view(ME, raw(), card(), hidden)


def test_what_is_missing_is_not_seen():
    assert not can_view(ME, None, card(is_self=True))
    assert not can_view(ME, raw(), None)
    assert not is_open(Head(author=card(is_self=True)))
    assert not is_open(Head(raw()))
    assert not is_open(Head(raw(Audience.FOLLOWERS), card()))
    assert not is_open(Head())


def test_a_reply_is_for_those_whom_its_root_is_for():
    reply = raw(Audience.EVERYONE, answer=ANSWER)
    root = raw(Audience.FOLLOWERS, author_id=CAROL)
    for sight, sees in ((FOLLOWER, True), (STRANGER, False)):
        head = Head(root, card(CAROL), sight)
        assert can_view(ME, reply, card(), STRANGER, head=head) == sees
    assert not can_view(ME, reply, card(), EVERYTHING)


def test_a_locked_archive_is_for_followers_and_what_was_closed_before_stays_closed():
    later = ids.new_id()
    assert audience_of(raw(), card(archived_before=later)) == Audience.FOLLOWERS
    assert audience_of(raw(), card(archived_before=POST)) == Audience.EVERYONE
    assert audience_of(raw(Audience.FRIENDS), card(archived_before=later)) == Audience.FRIENDS


YESTERDAY = (datetime.now(UTC) - timedelta(days=1)).isoformat()


def relation(owner, kind, other, **more):
    key = keys.relation(owner, kind, other)
    made = Relation(
        *key, user_id=owner, other_id=other, relation_type=kind, created_at=YESTERDAY, **more
    )
    return {key: made.serialize()}


def followed():
    key = keys.following(BOB, ALICE)
    return {key: Following.new(user_id=BOB, followed_id=ALICE).serialize()}


@pytest.mark.parametrize(
    ("found", "sight"),
    [
        ({}, Sight()),
        (followed(), Sight(follows=True)),
        (relation(BOB, RelationType.BLOCK, ALICE), Sight(is_hidden=True)),
        (relation(BOB, RelationType.BLOCK, ALICE, delete_status=True), Sight()),
        (relation(ALICE, RelationType.BLOCK, BOB), Sight()),
        (relation(ALICE, RelationType.FRIEND, BOB), Sight(is_friend=True)),
        (relation(ALICE, RelationType.FRIEND, BOB, tags={FAMILY}), IN_CIRCLE),
        (relation(ALICE, RelationType.FRIEND, BOB, tags={FAMILY}, delete_status=True), Sight()),
        (relation(ALICE, RelationType.FRIEND, BOB, tags={FAMILY}, until=YESTERDAY), Sight()),
        (relation(BOB, RelationType.FRIEND, ALICE, tags={FAMILY}), Sight()),
    ],
)
def test_what_someone_is_to_an_author_is_read_of_the_items_in_force(found, sight):
    assert sight_of(ME, ALICE, found) == sight


def test_the_keys_of_what_people_are_to_each_other():
    authors = [ALICE, BOB, ALICE, CAROL]
    assert block_keys(ME, authors) == [
        keys.relation(BOB, RelationType.BLOCK, ALICE),
        keys.relation(BOB, RelationType.BLOCK, CAROL),
    ]
    assert mute_keys(ME, authors) == {
        ALICE: keys.relation(BOB, RelationType.MUTE, ALICE),
        CAROL: keys.relation(BOB, RelationType.MUTE, CAROL),
    }
    assert sight_keys(ME, authors) == [
        keys.following(BOB, ALICE),
        keys.relation(ALICE, RelationType.FRIEND, BOB),
        keys.following(BOB, CAROL),
        keys.relation(CAROL, RelationType.FRIEND, BOB),
    ]
    assert not block_keys(VISITOR, authors)
    assert not mute_keys(VISITOR, authors)
    assert not sight_keys(VISITOR, authors)


WHOLE = Pointer(
    POST, ALICE, "root", "root author", "answered", "repost", "reposted", "quote", "quoted", "tag"
)


def test_a_pointer_leads_to_what_is_shown_and_to_what_that_quotes():
    assert WHOLE.shown == Pointer("repost", "reposted", "root", "root author", "answered")
    assert WHOLE.quoted == Pointer("quote", "quoted")
    plain = Pointer(POST, ALICE)
    assert plain == (POST, ALICE, *[""] * 8)
    assert plain.shown == plain
    assert is_plain(plain)
    assert not any(is_plain(plain._replace(**{name: "x"})) for name in Pointer._fields[2:])


def test_a_pointer_holds_what_its_item_has():
    entry = TimelineEntry.new(user_id=BOB, ttl=None, **WHOLE._asdict())
    assert pointer_of(entry.serialize()) == pointer_of_post(entry) == WHOLE
    quoting = said(quoted=Quoted("quote", "quoted"))
    expected = Pointer(POST, ALICE, quote_of="quote", quote_of_author_id="quoted")
    assert pointer_of(quoting.serialize()) == pointer_of_post(quoting) == expected


def test_tags_are_those_of_what_everyone_sees_and_that_answers_nobody_else():
    tagged = {"content": "Hello #cats"}
    own = ANSWER._replace(reply_to_author_id=ALICE)
    assert listed_tags(said(**tagged)) == listed_tags(said(**tagged, answer=own)) == {"cats"}
    assert listed_tags(said(**tagged, answer=ANSWER)) == set()
    assert listed_tags(said(Audience.FOLLOWERS, **tagged)) == set()
    assert listed_tags(said(**tagged, withheld=Withheld.HELD)) == set()
    assert listed_tags(said(content="")) == listed_tags(None) == set()


def test_lists_name_what_answers_nobody_else_and_is_no_further_part_of_a_story():
    own = ANSWER._replace(reply_to_author_id=ALICE)
    assert stands_in_lists(said())
    assert stands_in_lists(said(story=Story.FIRST))
    assert stands_in_lists(said(answer=own))
    assert not stands_in_lists(said(answer=ANSWER))
    assert not stands_in_lists(said(answer=own, story=Story.PART))
    assert answers_another(said(answer=ANSWER))
    assert not answers_another(said())
    assert not answers_another(said(answer=own))


def test_an_entry_of_a_timeline_ends_with_its_post_and_at_the_latest_after_the_days_of_a_timeline():
    soon, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
    end = timeline_end(ids.time_of(POST))
    assert end == ids.time_of(POST).replace(microsecond=0) + timedelta(days=settings.TIMELINE_DAYS)
    for ends, ttl in ((None, end), (soon, soon), (late, end)):
        entry = entry_of(WHOLE, BOB, ends=ends)
        assert entry.ttl.replace(microsecond=0) == ttl.replace(microsecond=0)
        assert (entry.key.pk, pointer_of(entry.serialize())) == (keys.timeline(BOB), WHOLE)
