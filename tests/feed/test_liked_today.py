"""Posts that people like today: the rule of the list, how the clock makes it, and who sees which of its posts."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.restrictions import Restriction
from feed.explore.models import Explored
from feed.explore.reads import EVERY, RANK, explored, forget_explored
from feed.explore.writes import KEPT, rank_liked_today, score_of
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.writes import delete_post
from privacy.erasure.search import clear
from relations.blocks.writes import block, mute
from relations.muted_words.words import MutedWord
from relations.muted_words.writes import mute_word
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import as_model, change, keys, query
from tests.conftest import HTMX, post
from tests.feed.liked import elder, liked_post, on_explore, ranked
from tests.feed.scenes import answer, clock_at
from tests.looks import due_items
from tests.moderation.cases import restrict
from tests.relations.scenes import people_you_may_know
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def planned() -> list[Due]:
    """The work to rank posts that waits for its moment."""
    return due_items(RANK)


# The rule


def test_a_repost_counts_as_two_likes_and_an_older_post_less():
    assert score_of(likes=2, reposts=0, replies=0, hours=3) == score_of(
        likes=0, reposts=1, replies=0, hours=3
    )
    assert score_of(likes=1, reposts=0, replies=1, hours=3) == score_of(
        likes=0, reposts=1, replies=0, hours=3
    )
    assert score_of(likes=9, reposts=0, replies=0, hours=20) < score_of(
        likes=1, reposts=0, replies=0, hours=0
    )


def test_the_page_says_the_rule_by_which_it_ranks(table):
    page = Client().get("/explore").content.decode()
    assert "How this list is made" in page
    assert "(hours + 2) to the power of 1.5" in page
    assert score_of(likes=1, reposts=1, replies=1, hours=2) == round(4 / 4**1.5, 4)


def test_posts_stand_in_the_order_of_their_score(table):
    people = [elder(f"author{number}") for number in range(4)]
    some = liked_post(people[0], likes=2)
    most = liked_post(people[1], likes=1, reposts=3)
    liked_post(people[2], likes=0)
    old = liked_post(people[3], likes=3, hours=9)
    assert ranked() == [most, some, old]
    assert on_explore(Client()) == [most, some, old]


def test_an_author_has_one_post_the_best(table):
    one = elder("author")
    liked_post(one, likes=1)
    best = liked_post(one, likes=4)
    assert ranked() == [best]


def test_replies_of_its_own_author_do_not_count(alice, drain_stream):
    one = elder("author")
    post_id = liked_post(one, likes=0)
    answer(one, one, post_id)
    drain_stream()
    assert ranked() == []
    answer(alice, one, post_id)
    drain_stream()
    assert ranked() == [post_id]


LEFT_OUT = {
    "a warning": lambda one: liked_post(one, warning="Spoilers"),
    "marked by a moderator": lambda one: liked_post(one, sensitive="yes"),
    "withheld": lambda one: liked_post(one, withheld=Withheld.HIDDEN),
    "for followers": lambda one: liked_post(one, audience=Audience.FOLLOWERS),
    "older than a day": lambda one: liked_post(one, hours=25),
}


@pytest.mark.parametrize("why", LEFT_OUT)
def test_a_post_is_left_out_that_has(table, why):
    LEFT_OUT[why](elder("author"))
    assert ranked() == []


LEFT_OUT_PEOPLE = {
    "does not want to be suggested": {"not_suggested": "yes"},
    "approves followers": {"locked": "yes"},
    "is limited": {"limited_until": "9999-12-31T00:00:00+00:00"},
    "has paused": {"paused": "yes"},
    "has locked older posts": {"archived_before": "Z" * 26},
}


@pytest.mark.parametrize("why", LEFT_OUT_PEOPLE)
def test_an_author_is_left_out_who(table, why):
    liked_post(elder("author", **LEFT_OUT_PEOPLE[why]))
    assert ranked() == []


def test_an_account_counts_from_its_first_week_on(table):
    liked_post(elder("newcomer", here=timedelta(days=6)))
    post_id = liked_post(elder("member", here=timedelta(days=8)))
    assert ranked() == [post_id]


# Languages


def test_each_language_has_its_list_and_posts_without_one_are_for_everyone(table):
    people = [elder(f"author{number}") for number in range(4)]
    german = liked_post(people[0], likes=4, lang="de")
    english = liked_post(people[1], likes=3, lang="en")
    none = liked_post(people[2], likes=2)
    chinese = liked_post(people[3], likes=1, lang="zh-Hant")
    assert ranked("de") == [german, none]
    assert on_explore(Client()) == [english, none]
    asked = {"Accept-Language": "zh-TW, de-AT;q=0.5, en;q=0"}
    assert on_explore(Client(), **asked) == [german, none, chinese]


def test_who_posts_in_two_languages_stands_once_for_who_reads_both(table):
    one = elder("author")
    liked_post(one, likes=1, lang="de")
    best = liked_post(one, likes=2, lang="en")
    assert ranked("de", "en") == [best]


# What acts at the next read, however old the list is


def hide_post(author, post_id):
    edits = {
        "warning": Post.warning.set("Spoilers"),
        "hidden": Post.withheld.set(Withheld.HIDDEN),
        "for followers": Post.audience.set(Audience.FOLLOWERS),
    }
    return lambda what: change(Post, keys.post(author.user_id, post_id), [edits[what]])


@pytest.mark.parametrize("what", ["warning", "hidden", "for followers"])
def test_a_post_leaves_explore_at_once_when_it_gets(table, what):
    author = elder("author")
    post_id = liked_post(author)
    assert ranked() == [post_id]
    hide_post(author, post_id)(what)
    assert on_explore(Client()) == []


def test_a_deleted_post_and_that_of_somebody_limited_or_unwilling_leave_at_once(table):
    people = [elder(f"author{number}") for number in range(4)]
    posts = [liked_post(one, likes=9 - number) for number, one in enumerate(people)]
    assert ranked() == posts
    delete_post(by=people[0], post_id=posts[0])
    restrict(people[1], Restriction.LIMITED)
    unwilling = [UserInfo.not_suggested.set("yes")]
    change(UserInfo, keys.user_info(people[2].user_id), unwilling)
    assert on_explore(Client()) == posts[3:]


def test_blocks_and_mutes_hide_posts_from_those_two_alone(alice, bob, log_in):
    people = [elder(f"author{number}") for number in range(3)]
    posts = [liked_post(one, likes=9 - number) for number, one in enumerate(people)]
    assert ranked() == posts
    block(by=people[0], user_id=alice.user_id)
    mute(by=alice, user_id=people[1].user_id)
    assert on_explore(log_in(alice)) == posts[2:]
    assert on_explore(log_in(bob)) == posts


def test_a_muted_word_takes_a_post_off_explore(alice, bob, log_in):
    post_id = liked_post(elder("author"), content="The election")
    assert ranked() == [post_id]
    mute_word(by=alice, word=MutedWord("election", folds=False))
    assert on_explore(log_in(alice)) == []
    assert on_explore(log_in(bob)) == [post_id]


def test_a_list_that_no_clock_renews_shows_no_post_of_yesterday(table):
    post_id = liked_post(elder("author"), hours=23.5)
    assert ranked() == [post_id]
    with clock_at(utc_now() + timedelta(minutes=45)):
        assert on_explore(Client()) == []


# The clock


def test_a_page_asks_the_clock_once_and_the_clock_goes_on_by_itself(alice):
    post_id = liked_post(elder("author"))
    with clock_at(utc_now()):  # no quarter of an hour ends in between
        for _ in range(2):
            assert on_explore(Client()) == []
    assert len(planned()) == 1
    do_due()
    assert on_explore(Client()) == [post_id]
    (following,) = planned()
    assert utc_now() < as_moment(following) <= utc_now() + 2 * EVERY
    with clock_at(as_moment(following) + timedelta(seconds=1)):
        do_due()
        (later,) = planned()
    assert as_moment(later) == as_moment(following) + EVERY


def as_moment(due: Due) -> datetime:
    return datetime.fromisoformat(due.moment)


def test_where_nobody_posts_the_clock_rests(table):
    assert rank_liked_today() == 0
    assert planned() == []
    assert explored().made_at


def test_to_rank_twice_is_to_rank_once(table):
    liked_post(elder("author"), lang="en")
    with clock_at(utc_now()):  # a score falls with time
        rank_liked_today()
        first = [as_model(Explored, raw).lines for raw in query(keys.explored())]
        rank_liked_today()
    assert [as_model(Explored, raw).lines for raw in query(keys.explored())] == first
    assert len(planned()) == 1


def test_a_list_fits_into_one_item_also_of_quotes(table):
    for number in range(KEPT + 2):
        quoted = {"quote_of": "0" * 26, "quote_of_author_id": "1" * 26}
        liked_post(elder(f"author{number}"), likes=number + 1, **quoted)
    assert len(ranked()) == KEPT
    (raw,) = query(keys.explored())
    assert len(str(raw)) < 4096


def test_the_search_after_an_erasure_deletes_lists_that_name_the_person(table):
    author = elder("author")
    liked_post(author)
    assert len(ranked()) == 1
    (raw,) = query(keys.explored())
    assert not clear(raw, {"0" * 26})
    assert clear(raw, {author.user_id})
    assert list(query(keys.explored())) == []


# The page


def test_older_places_of_the_list_come_page_by_page(table):
    posts = [liked_post(elder(f"author{number}"), likes=99 - number) for number in range(13)]
    assert ranked() == posts
    first = Html(Client().get("/explore"))
    assert first.post_ids() == posts[:10]
    assert first.all("h2", class_="section-title")[0].text == "People who post here"
    more = Html(Client().get(first.link("next"), headers=HTMX))
    assert more.post_ids() == posts[10:]
    assert not more.all("html")
    alone = Html(Client().get(first.link("next")))
    assert alone.post_ids() == posts[10:]
    assert [title.text for title in alone.all("h2", class_="section-title")] == ["Liked today"]


@pytest.mark.parametrize("place", ["-1", "x", "99999999999", "１", ""])
def test_what_is_no_place_of_the_list_is_no_error(table, place):
    assert Client().get("/explore", {"from": place}).status_code == 200


def test_on_a_phone_local_is_two_presses_away(alice, log_in):
    for browser in (Client(), log_in(alice)):
        page = Html(browser.get("/explore"))
        assert page.one("nav", class_="tabs", aria_label="Explore").text.startswith("Today Local")
        for address in ("/local", "/explore/people", "/explore"):
            here = Html(browser.get(address)).all("a", href=address, aria_current="page")
            assert here


def test_people_who_are_new_and_posted_stand_apart(alice, bob, log_in, drain_stream):
    post(bob)
    liked_post(elder("author"))
    drain_stream()
    for address in ("/explore", "/explore/people"):
        page = Html(log_in(alice).get(address))
        assert page.one("h2", id="new-title").text == "New here"
        assert page.handles()[:2] == ["author", "bob"]


@capacity
@pytest.mark.parametrize("who", ["member", "visitor"])
def test_explore_is_three_calls_however_much_is_liked(alice, log_in, requests_of, who):
    posts = [liked_post(elder(f"author{number:02}"), likes=99 - number) for number in range(25)]
    assert ranked() == posts
    browser = log_in(alice) if who == "member" else Client()
    people_you_may_know(viewer=alice)  # found once a day: tests/relations/test_discovery.py
    for address, most in (("/explore", 46), ("/explore?from=10", 34), ("/explore/people", 27)):
        browser.get(address)  # this process reads the lists, and who posted last
        with requests_of() as requests:
            assert len(Html(browser.get(address)).post_ids()) == (
                0 if "people" in address else 10 if address == "/explore" else 15
            )
        calls = ["BatchGetItem", "Query", "BatchGetItem"] if who == "member" else ["BatchGetItem"]
        assert requests.operations == calls
        assert sum(requests.units) <= most


@capacity
def test_to_rank_a_thousand_posts_takes_what_it_says(alice, requests_of):
    for number in range(20):
        liked_post(elder(f"author{number}"), likes=number, replies=number % 2)
    with requests_of() as requests:
        rank_liked_today()
    reads = [one for one in requests.made if one.operation != "BatchWriteItem"]
    assert {one.operation for one in reads} == {"Query", "BatchGetItem"}
    assert sum(one.units for one in reads) <= 8 * 0.5 + 20 * 2 + 10 * 0.5
    forget_explored()
