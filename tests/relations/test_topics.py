"""Topics: tags that enough people one and two steps away follow, told in numbers, with a switch for both directions."""

import pytest
from django.core.management import call_command

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from accounts.profile.writes import save_privacy
from privacy.erasure.writes import close_account
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.models import Suggestions, TagUse
from relations.own_choices.writes import follow_tag, unfollow_tag
from relations.suggested import look_for_people
from relations.topics import LEAST, MOST_TOPICS, find_topics
from relations.two_levels import look_two_levels
from socialsite.clock import utc_now
from socialsite.table import change, keys, write_batch
from tests.conftest import person
from tests.relations.scenes import befriend, crowd, follow_each
from tests.web.html import Html

AT_THE_END = "Topics for you"


@pytest.fixture
def friends(alice):
    """Five friends of Alice's, of whom three follow a tag under which there is a post."""
    five = [person(f"friend{number}") for number in range(5)]
    for one in five:
        befriend(alice, one)
    in_use("bread")
    for one in five[:3]:
        follow_tag(by=one, tag="bread")
    return five


def in_use(*tags: str) -> None:
    until = utc_now().replace(year=2099)
    write_batch(puts=[TagUse.new(tag=tag, ttl=until) for tag in tags])


def topics(viewer) -> dict[str, str]:
    """The tags that are found anew, best first, and why."""
    found = find_topics(viewer.user_id, look_two_levels(viewer.user_id))
    return {one.tag: one.reason for one in found}


def on_explore(browser) -> list[str]:
    """What Explore shows, after the worker has looked."""
    page = Html(browser.get("/explore"))
    rows = [one.text for one in page.all("a", class_="circle-friends")]
    return [" ".join(row.split()) for row in rows]


def test_a_tag_that_three_friends_follow_is_a_topic(alice, friends):
    assert topics(alice) == {"bread": "3 friends follow it"}
    follow_tag(by=friends[3], tag="bread")
    assert topics(alice) == {"bread": "4 friends follow it"}


def test_fewer_than_three_would_name_somebody(alice, friends):
    unfollow_tag(by=friends[0], tag="bread")
    assert topics(alice) == {}
    assert LEAST == 3


def test_a_number_that_says_it_of_everyone_is_not_told(alice, friends, bob):
    for one in friends[3:]:
        follow_tag(by=one, tag="bread")
    assert topics(alice) == {}
    follow(by=alice, user_id=bob.user_id)  # who does not follow it
    assert topics(alice) == {"bread": "5 people you or your friends know follow it"}


def test_the_second_level_counts_and_a_small_number_of_friends_is_not_told(
    alice, friends, bob, carol
):
    in_use("cheese")
    follow(by=alice, user_id=bob.user_id)
    befriend(friends[0], carol)
    for one in (friends[0], bob, carol):
        follow_tag(by=one, tag="cheese")
    assert topics(alice) == {
        "bread": "3 friends follow it",
        "cheese": "3 people you or your friends know follow it",
    }


def test_three_steps_are_too_far(alice, friends, bob, carol, mod):
    befriend(friends[0], bob)
    befriend(bob, carol)
    befriend(bob, mod)
    for one in (bob, carol, mod):
        follow_tag(by=one, tag="cheese")
    in_use("cheese")
    assert "cheese" not in topics(alice)


def test_what_one_follows_oneself_is_no_topic_nor_what_has_no_post(alice, friends):
    for one in friends[:3]:
        follow_tag(by=one, tag="unheard")
    assert list(topics(alice)) == ["bread"]
    follow_tag(by=alice, tag="bread")
    assert topics(alice) == {}


def switch_off(viewer) -> None:
    save_privacy(
        by=viewer,
        locked=False,
        archived_before=None,
        not_suggested=False,
        not_indexed=False,
        no_topics=True,
    )


@pytest.mark.parametrize("how", ["switch", "suspended", "paused", "closed"])
def test_who_wants_none_or_is_not_there_counts_for_none(alice, friends, how):
    one = friends[0]
    match how:
        case "switch":
            switch_off(one)
        case "closed":
            close_account(by=one, at_once=True)
        case _:
            gone = {"suspended": UserInfo.suspended_until, "paused": UserInfo.paused}[how]
            change(UserInfo, keys.user_info(one.user_id), [gone.set(FOR_EVER)])
    assert topics(alice) == {}


def test_who_blocks_someone_counts_for_nothing_of_theirs(alice, friends, bob):
    befriend(friends[0], bob)
    follow_tag(by=bob, tag="bread")
    unfollow_tag(by=friends[1], tag="bread")
    assert topics(alice) == {"bread": "3 people you or your friends know follow it"}
    block(by=bob, user_id=alice.user_id)
    assert topics(alice) == {}


def test_explore_shows_them_with_their_number_and_a_way_to_follow(alice, friends, log_in):
    look_for_people(alice.user_id)
    browser = log_in(alice)
    assert on_explore(browser) == ["bread 3 friends follow it"]
    page = Html(browser.get("/explore"))
    assert page.one("button", id="follow-tag-bread")["value"] == "1"
    text = browser.get("/explore").content.decode()
    assert AT_THE_END in text
    assert "/settings/privacy" in text
    browser.post("/tags/bread/follow", {"on": "1"})
    assert on_explore(browser) == []  # at once


def test_the_switch_acts_at_once_in_both_directions(alice, friends, log_in):
    look_for_people(alice.user_id)
    browser = log_in(alice)
    form = Html(browser.get("/settings/privacy"))
    assert "checked" in form.one("input", name="topics").attributes
    browser.post("/settings/privacy", {"pending": "keep", "indexed": "on"})
    assert (
        "checked"
        not in Html(browser.get("/settings/privacy")).one("input", name="topics").attributes
    )
    assert on_explore(browser) == []
    assert topics(alice) == {}
    browser.post("/settings/privacy", {"pending": "keep", "indexed": "on", "topics": "on"})
    assert on_explore(browser) == ["bread 3 friends follow it"]


def test_what_earlier_code_kept_has_no_topics(alice, friends, log_in):
    look_for_people(alice.user_id)
    change(Suggestions, keys.suggestions(alice.user_id), [Suggestions.topics.remove()])
    assert on_explore(log_in(alice)) == []


def test_at_most_six_are_kept_the_best_first(alice, friends):
    tags = [f"tag{number:02}" for number in range(9)]
    in_use(*tags)
    for one in friends[:4]:
        for tag in tags:
            follow_tag(by=one, tag=tag)
    found = list(topics(alice))
    assert found == tags[:MOST_TOPICS]  # four friends each; bread has three


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_the_price_is_bound_whatever_the_number_of_people(alice, measure):
    near, beyond = crowd(60, "near"), crowd(60, "far")
    follow_each([alice.user_id], [one.user_id for one in near])
    follow_each([one.user_id for one in near], [one.user_id for one in beyond])
    levels = look_two_levels(alice.user_id)
    with measure() as meter:
        find_topics(alice.user_id, levels)
    operations = [call.operation for call in meter.calls]
    assert operations.count("Query") <= 51
    assert operations.count("BatchGetItem") <= 3
    assert meter.read_units <= 110


def test_the_command_prints_them_with_their_price(alice, friends, capsys):
    call_command("recommend", "alice", "--of", "tags")
    told = capsys.readouterr().out
    assert "#bread" in told
    assert "3 friends follow it" in told
    assert "find_topics" in told
    unfollow_tag(by=friends[0], tag="bread")
    call_command("recommend", "alice", "--of", "tags")
    assert "No tags to recommend to alice." in capsys.readouterr().out


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_explore_pays_half_a_unit_a_topic(alice, friends, log_in, measure):
    look_for_people(alice.user_id)
    browser = log_in(alice)
    browser.get("/explore")  # this process reads who posted here last

    def price() -> float:
        with measure() as meter:
            browser.get("/explore")
        assert len(meter.calls) <= 3
        return meter.read_units

    with_one = price()
    switch_off(alice)
    assert with_one - price() == 0.5
