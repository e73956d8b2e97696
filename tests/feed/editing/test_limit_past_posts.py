"""All posts that were for everyone until now are limited to followers or friends at once: by the stream worker, each
once, as if their author had changed them one by one."""

import pytest

from accounts.people.restrictions import Restriction
from feed.posts.reads import Pointer
from feed.publishing import reads, stream
from feed.publishing.changes import AlreadyLimiting, limit_past_posts
from feed.publishing.reads import get_own_text
from feed.sharing.writes import repost
from socialsite.streams.models import JobKind
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.feed.editing.audiences import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    counts,
    readers_of,
    say,
    sees,
    show_to,
)
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict, withhold
from tests.streams.crowd import jobs
from tests.streams.records import handle_all, unread
from tests.web.html import Html

PAGE = "/settings/privacy/past-posts"


def limit(author, audience: str = FRIENDS) -> None:
    limit_past_posts(by=author, audience=audience, count=0)


def audience_of(author, post_id: str) -> str:
    return get_own_text(post_id, viewer=author).audience


@pytest.mark.parametrize("audience", [FOLLOWERS, FRIENDS])
def test_past_posts_are_for_fewer_people_with_all_that_follows(
    alice, bob, drain_stream, monkeypatch, audience
):
    monkeypatch.setattr(stream, "POSTS_LIMITED_A_STEP", 2)
    readers = readers_of(alice)
    posts = [post(alice, f"#tag @bob {number}") for number in range(5)]
    reply = answer(alice, bob, theirs := post(bob))
    repost(by=bob, post=Pointer(posts[0], alice.user_id))
    repost(by=alice, post=Pointer(theirs, bob.user_id))
    drain_stream()
    limit(alice, audience)
    drain_stream()
    may = {FOLLOWERS: "follower", FRIENDS: "friend"}[audience]
    for kind, reader in readers.items():
        expected = kind == may or (kind == "circle" and audience == FRIENDS)
        assert [sees(reader, one, alice) for one in posts] == [expected] * 5
    assert sees(readers["stranger"], reply, alice)
    assert counts(alice) == (6, 5)
    assert not jobs(JobKind.LIMIT_POSTS)
    assert broken_invariants() == {}


def test_what_had_an_audience_or_is_withheld_or_published_later_stays(alice, drain_stream):
    closed = say(alice, ONLY_ME)
    hidden = post(alice)
    withhold(alice, hidden)
    past = post(alice)
    limit(alice)
    later = post(alice)
    drain_stream()
    assert [audience_of(alice, one) for one in (closed, hidden, past, later)] == [
        *(ONLY_ME, EVERYONE, FRIENDS, EVERYONE),
    ]


def test_a_post_that_its_author_opens_again_stays_open(alice, drain_stream):
    """A worker that died, or was frozen, makes its step again when all is done."""
    post_id = post(alice)
    drain_stream()
    limit(alice)
    records = unread()
    handle_all(records)
    assert audience_of(alice, post_id) == FRIENDS
    show_to(alice, post_id, EVERYONE)
    handle_all(records)
    assert audience_of(alice, post_id) == EVERYONE
    drain_stream()
    assert audience_of(alice, post_id) == EVERYONE
    assert counts(alice) == (1, 0)


def test_the_page_says_how_many_and_the_worker_does_it(alice, bob, log_in, drain_stream):
    posts = [post(alice) for _ in range(3)]
    say(alice, FRIENDS)
    answer(alice, bob, post(bob))
    browser = log_in(alice)
    assert PAGE in browser.get("/settings/privacy").content.decode()
    html = Html(browser.get(PAGE))
    assert "3 of your posts are for everyone." in html.one("main").text
    assert [one["value"] for one in html.all("option")] == [FOLLOWERS, FRIENDS]

    answered = browser.post(PAGE, {"audience": FOLLOWERS})
    assert (answered.status_code, answered["Location"]) == (302, PAGE)
    again = browser.post(PAGE, {"audience": FRIENDS})
    assert again.status_code == 409
    assert "0 posts are done." in Html(again).one("div", id="limiting").text
    assert Html(browser.get(PAGE, headers=HTMX)).one("div", id="limiting")["hx-trigger"]
    drain_stream()
    done = Html(browser.get(PAGE, headers=HTMX)).one("div", id="limiting")
    assert done.text == "The audience of your past posts is changed."
    assert "hx-trigger" not in done.attributes
    assert "None of your past posts are for everyone." in browser.get(PAGE).content.decode()
    assert [audience_of(alice, one) for one in posts] == [FOLLOWERS] * 3
    browser.post(PAGE, {"audience": FRIENDS})
    assert not jobs(JobKind.LIMIT_POSTS)


@pytest.mark.parametrize("sent", [{}, {"audience": ""}, {"audience": "me"}, {"audience": "x" * 99}])
def test_another_choice_is_refused_beside_its_field(alice, log_in, sent):
    post(alice)
    response = log_in(alice).post(PAGE, sent)
    assert response.status_code == 422
    assert Html(response).error("audience") == "Choose who can see your posts."
    assert not jobs(JobKind.LIMIT_POSTS)


def test_it_is_for_people_with_a_voice(alice, log_in):
    post(alice)
    restrict(alice, Restriction.FROZEN)
    assert log_in(alice).post(PAGE, {"audience": FRIENDS}).status_code == 403
    assert not jobs(JobKind.LIMIT_POSTS)


def test_it_is_under_way_once(alice):
    limit(alice)
    with pytest.raises(AlreadyLimiting):
        limit(alice, FOLLOWERS)
    (job,) = jobs(JobKind.LIMIT_POSTS)
    assert job.audience == FRIENDS


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_asking_and_a_step_cost(alice, log_in, requests_of, measure, monkeypatch):
    monkeypatch.setattr(reads, "LOOKED_AT", 30)
    for number in range(41):
        post(alice, f"Tea {number}")
    browser = log_in(alice)
    with requests_of() as requests:
        answered = browser.get(PAGE)
    assert requests.operations == ["BatchGetItem", "BatchGetItem", "Query"]
    assert "At least 30 of your posts are for everyone." in Html(answered).one("main").text
    with measure() as meter:
        limit(alice)
    assert [(call.operation, call.units) for call in meter.calls] == [("PutItem", 1)]
    records = unread()
    with requests_of() as requests:
        handle_all(records[-1:])
    assert requests.operations == ["Query", "TransactWriteItems"]
    assert requests.units == [pytest.approx(4, abs=3), 2 * 42]
