"""Topics that many talk about now: people are counted and not posts, only where staff want it, and never a tag that
staff refuse."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.restrictions import Restriction
from feed.explore.reads import EVERY, forget_explored, topics_now
from feed.posts.models import Post
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post
from moderation.topics.writes import allow_topic, refuse_topics
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import Item, as_model, change, ids, keys, query, reading, write_batch
from socialsite.table.reading import scan
from tags import trending
from tags.checks import TagInvariants, mend_topics
from tags.models import TagEntry, TopicAuthor
from tags.stream_handlers import note_topics
from tags.trending import COUNT_TOPICS, HOURS, LEAST, count_topics, use_of_topic
from tests.conftest import person, post
from tests.feed.liked import elder
from tests.feed.scenes import clock_at
from tests.looks import due_items
from tests.moderation.cases import restrict
from tests.moderation.staff import set_up
from tests.web.html import Html


@pytest.fixture
def wanted(admin) -> None:
    set_up(admin, topics_shown=True)


@pytest.fixture
def five(table):
    return [elder(f"author{number}") for number in range(LEAST)]


def topics() -> list[tuple[str, int]]:
    """The topics and how many people each has, when the clock counts now."""
    count_topics()
    return [(one.tag, one.people) for one in topics_now()]


def noted() -> list[TopicAuthor]:
    now = datetime.now(UTC)
    hours = [(now - timedelta(hours=number)).strftime("%Y-%m-%dT%H") for number in range(HOURS)]
    return [
        as_model(TopicAuthor, raw)
        for hour in hours
        for shard in range(keys.TOPIC_SHARDS)
        for raw in query(keys.topic_authors(hour, shard))
    ]


def results() -> dict[str, list[str]]:
    """What the audit says of tags."""
    invariants = TagInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return invariants.results()


def planned() -> list[Due]:
    return due_items(COUNT_TOPICS)


def chips(browser: Client) -> list[str]:
    """The topics on Explore, which reads the lists anew."""
    forget_explored()
    return [link["href"] for link in Html(browser.get("/explore")).all("a", class_="chip")]


def test_five_people_make_a_topic_and_four_do_not(wanted, five, drain_stream):
    for one in five[1:]:
        post(one, "#bread")
    drain_stream()
    assert topics() == []
    post(five[0], "More #Bread")
    drain_stream()
    assert topics() == [("bread", 5)]
    assert chips(Client()) == ["/tags/bread"]
    assert "5 people" in Client().get("/explore").content.decode()


def test_who_posts_a_lot_counts_once(wanted, five, drain_stream):
    for one in five:
        post(one, "#bread")
    for _ in range(9):
        post(five[0], "#bread #spam")
    drain_stream()
    assert topics() == [("bread", 5)]
    assert len(noted()) == LEAST + 1


def test_most_people_come_first(wanted, five, drain_stream):
    for one in five:
        post(one, "#bread #cats")
    post(elder("other"), "#cats")
    drain_stream()
    assert topics() == [("cats", 6), ("bread", 5)]


@pytest.mark.parametrize(("then", "shown"), [(2, True), (3, False)])
def test_a_tag_is_compared_with_the_same_hours_a_week_ago(wanted, five, drain_stream, then, shown):
    a_week_ago = datetime.now(UTC) - timedelta(days=7, minutes=30)
    pointers = [Pointer(ids.id_at(a_week_ago, bytes([n] * 10)), f"author{n}") for n in range(then)]
    again = Pointer(ids.id_at(a_week_ago, b"again12345"), "author0")
    end = datetime.now(UTC) + timedelta(days=9)
    write_batch(puts=[TagEntry.new(tag="bread", pointer=p, ttl=end) for p in [*pointers, again]])
    for one in five:
        post(one, "#bread")
    drain_stream()
    assert topics() == ([("bread", 5)] if shown else [])


def test_what_is_always_there_however_much_of_it_hides_nothing_new(wanted, five, monkeypatch):
    monkeypatch.setattr(trending, "MOST", 2)
    now = datetime.now(UTC)
    a_week_ago, end = now - timedelta(days=7, minutes=30), now + timedelta(days=9)
    regulars, people = [*five, elder("sixth")], [one.user_id for one in five]
    entries, uses = [], []
    for number in range(9):
        for nth, one in enumerate(regulars):
            pointer = Pointer(ids.id_at(a_week_ago, bytes([nth] * 10)), one.user_id)
            entries.append(TagEntry.new(tag=f"daily{number}", pointer=pointer, ttl=end))
            uses.append((f"daily{number}", one.user_id))
    uses += [("bread", one) for one in people]
    hour = trending.hour_at(now)
    rows = [TopicAuthor.new(hour=hour, tag=tag, author_id=one, ttl=end) for tag, one in uses]
    write_batch(puts=[*entries, *rows])
    assert topics() == [("bread", 5)]


def test_nobody_counts_whom_the_clock_did_not_look_up(wanted, five, drain_stream, monkeypatch):
    monkeypatch.setattr(trending, "MOST_ASKED", LEAST)
    for one in five:
        post(one, "#bread")
    for number in range(LEAST):
        raider = elder(f"raider{number}")
        post(raider, "#raid")
        restrict(raider, Restriction.LIMITED)
    drain_stream()
    assert "raid" not in dict(topics())


def test_new_accounts_do_not_count(wanted, five, drain_stream):
    for one in [*five[1:], person("newcomer")]:
        post(one, "#bread")
    drain_stream()
    assert topics() == []
    assert len(noted()) == LEAST - 1


@pytest.mark.parametrize("why", ["limited", "no topics", "paused"])
def test_somebody_does_not_count_who_is_or_wants(wanted, five, drain_stream, why):
    for one in five:
        post(one, "#bread")
    drain_stream()
    assert topics() == [("bread", 5)]
    if why == "limited":
        restrict(five[0], Restriction.LIMITED)
    else:
        action = {"no topics": UserInfo.no_topics, "paused": UserInfo.paused}[why].set("yes")
        change(UserInfo, keys.user_info(five[0].user_id), [action])
    assert topics() == []


def test_a_deleted_post_is_taken_back_and_a_record_heard_late_changes_nothing(
    wanted, five, drain_stream
):
    posts = [post(one, "#bread") for one in five]
    drain_stream()
    made = reading.get(Post, keys.post(five[0].user_id, posts[0]))
    note_topics(Change("INSERT", None, made, "1"), Ledger())
    assert topics() == [("bread", 5)]
    delete_post(by=five[0], post_id=posts[0])
    drain_stream()
    note_topics(Change("INSERT", None, made, "1"), Ledger())
    assert topics() == []
    assert len(noted()) == LEAST - 1


def test_somebody_counts_as_long_as_any_post_of_the_hour_has_the_tag(wanted, five, drain_stream):
    first, second = post(five[0], "#bread"), post(five[0], "#bread again")
    drain_stream()
    for post_id, left in ((first, 1), (second, 0)):
        delete_post(by=five[0], post_id=post_id)
        drain_stream()
        assert len(noted()) == left


def test_what_a_lost_record_left_is_told_and_taken_back(wanted, five, drain_stream):
    kept = post(five[0], "#bread")
    drain_stream()
    stray = use_of_topic(Post.new(post_id=kept, author_id=five[0].user_id, content=""), "cats")
    write_batch(puts=[stray])
    rule = "everyone who counts for a topic has a post with the tag in that hour"
    assert len(results()[rule]) == 1
    uses = [
        raw
        for shard in range(keys.TOPIC_SHARDS)
        for raw in query(keys.topic_authors(stray.hour, shard))
    ]
    assert len(uses) == 2
    mend_topics(uses)
    assert results()[rule] == []
    assert [one.tag for one in noted()] == ["bread"]


def test_after_some_hours_it_is_no_topic_of_now(wanted, five, drain_stream):
    for one in five:
        post(one, "#bread")
    drain_stream()
    assert topics() == [("bread", 5)]
    with clock_at(datetime.now(UTC) + timedelta(hours=HOURS + 1, minutes=1)):
        assert topics() == []


def test_nothing_is_noted_counted_or_shown_unless_staff_want_it(admin, five, drain_stream):
    for one in five:
        post(one, "#bread")
    drain_stream()
    assert noted() == []
    assert planned() == []
    assert topics() == []


def test_the_switch_and_the_refusals_act_at_the_next_read(admin, wanted, five, drain_stream):
    for one in five:
        post(one, "#bread #cats")
    drain_stream()
    assert topics() == [("bread", 5), ("cats", 5)]
    refuse_topics(by=admin, tags=["bread"])
    assert chips(Client()) == ["/tags/cats"]
    assert topics() == [("cats", 5)]
    allow_topic(by=admin, tag="bread")
    assert topics() == [("bread", 5), ("cats", 5)]
    set_up(admin, topics_shown=False)
    assert chips(Client()) == []


def test_the_clock_counts_each_quarter_of_an_hour_while_tags_are_used(wanted, five, drain_stream):
    for one in five:
        post(one, "#bread")
    drain_stream()
    (first,) = planned()
    moment = datetime.fromisoformat(first.moment)
    assert moment <= datetime.now(UTC) + EVERY
    with clock_at(moment + timedelta(seconds=1)):
        do_due()
        assert [one.tag for one in topics_now()] == ["bread"]
        (second,) = planned()
    assert datetime.fromisoformat(second.moment) == moment + EVERY
    with clock_at(moment + timedelta(hours=HOURS + 2)):
        do_due()
        assert planned() == []
