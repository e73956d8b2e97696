"""What single clients ask besides, found by playing them: each is answered where the site has the thing."""

import pytest
from django.templatetags.static import static
from django.test import Client

from feed.likes.writes import like_post
from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from relations.blocks.writes import block
from relations.follows.writes import follow
from tests.api.conftest import App, token_of
from tests.conftest import post

HERE = "http://testserver"


def named(post_id, author) -> str:
    return f"{post_id}{author.user_id}"


def found(caller: App, text: str, **more) -> dict[str, list[str]]:
    """What a search that resolves finds, by id."""
    answer = caller.get("/api/v2/search", q=text, resolve="true", **more)
    return {kind: [one["id"] for one in some] for kind, some in answer.items() if some}


@pytest.mark.parametrize("text", ["bob", "@bob", "@BOB", "bob@testserver", f"{HERE}/@bob"])
def test_a_person_is_found_by_the_whole_handle_or_the_address_of_their_page(alice, bob, text):
    """toot follows nobody whom it has not found so. The directory, which the worker keeps, is not asked."""
    assert found(App(token_of(alice)), text) == {"accounts": [bob.user_id]}


def test_nobody_is_found_twice(alice, bob, drain_stream):
    drain_stream()
    caller = App(token_of(alice))
    assert found(caller, "bob")["accounts"] == [bob.user_id]
    people = caller.get("/api/v1/accounts/search", q="@bob", resolve="true")
    assert [one["id"] for one in people] == [bob.user_id]


def test_people_who_are_looked_for_are_found_by_the_whole_handle_too(alice, bob):
    caller = App(token_of(alice))
    for more, found_ in (({"resolve": "true"}, [bob.user_id]), ({}, [])):
        people = caller.get("/api/v1/accounts/search", q="@bob", **more)
        assert [one["id"] for one in people] == found_
    assert caller.get("/api/v1/accounts/search", q="@nobody_here", resolve="true") == []
    assert len(caller.get("/api/v1/accounts/search", q="@bob", resolve="true", limit=1)) == 1


def test_a_post_is_found_by_its_address_and_by_nobody_who_may_not_see_it(alice, bob, carol):
    name = post(bob)
    address = f"{HERE}/@bob/posts/{name}"
    callers = [App(token_of(alice)), App(token_of(carol)), App()]
    for caller in callers:
        assert found(caller, address, type="statuses") == {"statuses": [named(name, bob)]}
    change_audience(by=bob, post_id=name, audience=Audience.FOLLOWERS)
    follow(by=alice, user_id=bob.user_id)
    seen = [found(caller, address) for caller in callers]
    assert seen == [{"statuses": [named(name, bob)]}, {}, {}]
    block(by=bob, user_id=alice.user_id)
    assert found(callers[0], address) == {}
    assert found(callers[0], f"{HERE}/@bob") == {}


@pytest.mark.parametrize(
    "text",
    [
        "https://elsewhere.example/@bob",
        "http://testserver.evil.example/@bob",
        "https://testserver/@bob",
        f"{HERE}/@bob/posts/x",
        f"{HERE}/@nobody_here",
        f"{HERE}/settings",
        "bob@elsewhere.example",
        "http://",
    ],
)
def test_what_is_no_page_of_this_site_finds_nothing(alice, bob, text):
    assert found(App(token_of(alice)), text) == {}


def test_only_a_search_that_resolves_finds_so(alice, bob):
    answer = App(token_of(alice)).get("/api/v2/search", q="@bob", type="accounts")
    assert answer["accounts"] == []


@pytest.fixture
def told(alice, bob, drain_stream):
    """What alice was told: bob likes a post of hers."""
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    drain_stream()
    (line,) = App(token_of(alice)).get("/api/v1/notifications")
    return line


def test_one_line_of_the_inbox_is_the_one_in_the_list(alice, bob, told):
    caller = App(token_of(alice))
    assert caller.get(f"/api/v1/notifications/{told['id']}") == told
    groups = caller.get("/api/v2/notifications")
    assert caller.get(f"/api/v2/notifications/{told['group_key']}") == groups
    people = caller.get(f"/api/v2/notifications/{told['group_key']}/accounts")
    assert [one["acct"] for one in people] == ["bob"]


def test_a_line_is_its_own_persons_and_goes_when_its_cause_does(alice, bob, told):
    for path in ("v1/notifications/{}", "v2/notifications/{}", "v2/notifications/{}/accounts"):
        address = f"/api/{path.format(told['id'])}"
        assert App(token_of(bob)).ask("get", address).status_code == 404
        assert App().ask("get", address).status_code == 401
    App(token_of(bob)).post(f"/api/v1/statuses/{told['status']['id']}/unfavourite")
    gone = App(token_of(alice)).ask("get", f"/api/v1/notifications/{told['id']}")
    assert gone.status_code == 404


def test_posts_and_people_are_asked_for_by_their_ids(alice, bob, carol):
    """Phanpy asks so for what posts of a page answer."""
    first, hidden = post(bob, "One"), post(carol, "Two")
    change_audience(by=carol, post_id=hidden, audience=Audience.ONLY_ME)
    names = [named(first, bob), named(hidden, carol), "x", named(first, alice)]
    caller = App(token_of(alice))
    shown = caller.get("/api/v1/statuses", **{"id[]": names})
    assert [one["id"] for one in shown] == names[:1]
    block(by=carol, user_id=alice.user_id)
    people = [bob.user_id, carol.user_id, "0" * 26, "x"]
    assert [one["acct"] for one in caller.get("/api/v1/accounts", **{"id[]": people})] == ["bob"]
    many = [f"{number:026}" for number in range(21)]
    for path in ("statuses", "accounts"):
        asked = [one * 2 for one in many] if path == "statuses" else many
        assert caller.ask("get", f"/api/v1/{path}", **{"id[]": asked}).status_code == 422
        assert caller.get(f"/api/v1/{path}") == []


def test_familiar_followers_are_nobody_in_the_form_that_clients_read(alice, bob, carol):
    asked = {"id[]": [bob.user_id, carol.user_id, "x"]}
    answer = App(token_of(alice)).get("/api/v1/accounts/familiar_followers", **asked)
    assert answer == [{"id": one.user_id, "accounts": []} for one in (bob, carol)]


def test_a_person_without_a_picture_has_the_one_that_clients_take_for_none(alice):
    """By its name, so it is not the one with a hash."""
    shown = App(token_of(alice)).get("/api/v1/accounts/verify_credentials")
    for kind in ("avatar", "avatar_static", "header", "header_static"):
        assert shown[kind] == f"{HERE}{static('icons/missing.png')}"
        assert shown[kind].endswith("/missing.png")


def test_a_tag_has_an_id(alice):
    """toot compares it."""
    assert Client().get("/api/v1/tags/cats").json()["id"] == "cats"
