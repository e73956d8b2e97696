"""Every address answers as clients expect: as JSON, with its limits, to any page that asks, with pages to go on to."""

import time
from contextlib import suppress

import pytest
from django.core.exceptions import BadRequest
from django.test import Client, RequestFactory

from api import access
from api.access import sent_by
from feed.posts.models import Poll
from relations.blocks.writes import mute
from relations.follows.writes import follow
from tests.api.conftest import App, token_of
from tests.conftest import post
from tests.feed.conftest import *  # noqa: F403 - `requests_of`
from tests.feed.test_budgets import IN_A_YEAR, VIEWER_AND_HOME, capacity
from tests.feed.timelines import authors, fill_home


@capacity
def test_home_costs_what_its_page_costs(alice, log_in, requests_of):
    fill_home(alice, authors(20), poll=Poll(options=["Tea", "Coffee"], ends=IN_A_YEAR))
    caller, browser = App(token_of(alice)), log_in(alice)
    with requests_of() as by_page:
        browser.get("/")
    with requests_of() as by_app:
        assert len(caller.get("/api/v1/timelines/home")) == 20
    assert by_page.operations == by_app.operations == VIEWER_AND_HOME
    assert by_app.units == by_page.units
    assert by_app.made[0].keys == by_page.made[0].keys


@capacity
def test_a_like_costs_what_its_button_costs(alice, bob, log_in, requests_of):
    first, second = post(bob), post(bob)
    caller, browser = App(token_of(alice)), log_in(alice)
    with requests_of() as by_page:
        browser.post(f"/@bob/posts/{first}/like", {"on": "1"})
    with requests_of() as by_app:
        caller.post(f"/api/v1/statuses/{second}{bob.user_id}/favourite")
    assert by_app.operations == by_page.operations
    assert sum(by_app.units) <= sum(by_page.units)


EMPTY = [
    "v1/custom_emojis", "v1/announcements", "v1/filters", "v1/conversations", "v1/trends/links",
    "v1/trends/tags", "v1/trends/statuses", f"v1/accounts/{'0' * 26}/featured_tags",
]  # fmt: skip


def test_what_the_site_has_not_is_an_empty_list_where_clients_wait_for_one(table):
    for path in EMPTY:
        answer = Client().get(f"/api/{path}")
        assert (answer.status_code, answer.json()) == (200, []), path


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/", "/api/v9/statuses", "/api/v1/quotes"])
def test_everything_else_is_not_found_as_json(table, path):
    for method in ("get", "post", "put", "delete"):
        answer = getattr(Client(enforce_csrf_checks=True), method)(path)
        assert (answer.status_code, answer.json()) == (404, {"error": "Record not found"})


def test_a_wrong_method_is_told(table):
    answer = Client().delete("/api/v2/instance")
    assert (answer.status_code, answer["Allow"]) == (405, "GET")


@pytest.mark.parametrize("path", ["/api/v2/instance", "/api/v2/instance/", "/api/v1/instance"])
def test_the_site_says_what_it_is_with_a_slash_and_without(table, path):
    said = Client().get(path).json()
    assert said["version"].startswith("4.3.0 (compatible; socialsite")
    assert said["configuration"]["statuses"]["max_characters"] == 1000
    assert said["rules"]


def test_clients_learn_whose_api_it_is(table):
    browser = Client()
    (link,) = browser.get("/.well-known/nodeinfo").json()["links"]
    assert browser.get(link["href"]).json()["software"]["name"] == "mastodon"
    said = browser.get("/.well-known/oauth-authorization-server").json()
    assert said["code_challenge_methods_supported"] == ["S256"]
    assert "password" not in said["grant_types_supported"]


def test_any_page_may_ask_and_brings_no_cookie(table):
    asked = Client().options(
        "/api/v1/statuses", headers={"Origin": "https://elk.example", "Host": "testserver"}
    )
    assert (asked.status_code, asked["Access-Control-Allow-Origin"]) == (204, "*")
    assert "Idempotency-Key" in asked["Access-Control-Allow-Headers"]
    answer = Client().get("/api/v1/timelines/public")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "Link" in answer["Access-Control-Expose-Headers"]
    for path in ("/", "/login", "/oauth/authorize", "/local"):
        assert "Access-Control-Allow-Origin" not in Client().get(path), path


def test_what_is_left_of_the_limit_is_told_and_then_kept_to(alice, monkeypatch):
    monkeypatch.setattr(access, "MOST_CALLS", 2)
    caller = App(token_of(alice))
    left = [caller.ask("get", "/api/v1/timelines/home") for _ in range(4)]
    assert [one["X-RateLimit-Remaining"] for one in left] == ["1", "0", "0", "0"]
    assert [one.status_code for one in left] == [200, 200, 429, 429]
    assert (left[0]["X-RateLimit-Limit"], bool(left[0]["X-RateLimit-Reset"])) == ("2", True)
    assert int(left[3]["Retry-After"]) > 0
    assert App(token_of(alice)).ask("get", "/api/v1/timelines/home").status_code == 200


def test_tokens_that_are_made_up_count_for_their_address(alice, monkeypatch):
    monkeypatch.setattr(access, "MOST_CALLS", 2)
    good = App(token_of(alice))
    assert good.ask("get", "/api/v1/timelines/home").status_code == 200
    wrong = ("x", f"{alice.user_id}.wrong", "app.made.up")
    asked = [App(token).ask("get", "/api/v1/timelines/public").status_code for token in wrong]
    assert asked == [401, 401, 429]  # the good call was not theirs
    assert good.ask("get", "/api/v1/timelines/home").status_code == 200


def test_others_behind_the_same_address_shut_no_good_token_out(alice, monkeypatch):
    """Not in the next window either, as long as it is in use."""
    home, good, begun = "/api/v1/timelines/home", App(token_of(alice)), time.time()
    monkeypatch.setattr(access, "MOST_CALLS", 2)
    assert good.ask("get", home).status_code == 200
    for window in (1, 2):
        monkeypatch.setattr("api.access.time.time", lambda n=window: begun + n * access.SECONDS)
        asked = [App().ask("get", "/api/v1/instance").status_code for _ in range(3)]
        assert asked == [200, 200, 429]
        assert [good.ask("get", home).status_code for _ in range(3)] == [200, 200, 429]


def test_pages_go_on_where_all_of_one_is_hidden(alice, bob, carol, drain_stream):
    for author in (bob, carol):
        follow(by=alice, user_id=author.user_id)
    old = post(carol, "Old")
    for number in range(25):
        post(bob, f"Number {number}")
    drain_stream()
    mute(by=alice, user_id=bob.user_id)
    caller = App(token_of(alice))
    address, found, pages = "/api/v1/timelines/home?limit=20", [], 0
    while address and pages < 5:
        answer = caller.ask("get", address)
        found += [one["id"][:26] for one in answer.json()]
        links = [one for one in answer.get("Link", "").split(", ") if 'rel="next"' in one]
        address, pages = (links[0].partition("<")[2].partition(">")[0] if links else ""), pages + 1
    assert found == [old]
    assert pages < 5


@pytest.mark.parametrize(
    "query",
    [
        *("max_id=x", "min_id=%00", "limit=-1", "limit=99999999999", "max_id=" + "0" * 52),
        *("max_id=" + "7Z" * 26, "max_id=" + f"7{'Z' * 25}" * 2, "min_id=" + f"7{'Z' * 25}" * 2),
    ],
)
def test_a_page_that_cannot_be_is_no_fault(alice, query):
    caller = App(token_of(alice))
    lists = ["timelines/home", "timelines/public", "timelines/tag/cats", "notifications"]
    lists += ["bookmarks", "favourites", f"accounts/{alice.user_id}/followers"]
    for path in lists:
        answer = caller.ask("get", f"/api/v1/{path}?{query}")
        assert answer.status_code in (200, 400), path
        assert answer["Content-Type"] == "application/json", path


@pytest.mark.parametrize("body", ["{", "[]", '"x"', "[" * 50_000, '{"status": {"a": [1]}}'])
def test_a_body_that_is_no_json_is_no_fault(alice, body):
    answer = Client().post(
        "/api/v1/statuses",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {token_of(alice)}"},
    )
    assert answer.status_code in (200, 400, 422)
    assert answer["Content-Type"] == "application/json"


def test_a_body_as_deep_as_can_just_be_read_is_no_fault():
    """What is nested can be read, and then be too deep to be a text again."""
    for depth in range(700, 1000):
        body = b'{"status": ' + b"[" * depth + b"]" * depth + b"}"
        request = RequestFactory().generic("POST", "/", body, content_type="application/json")
        with suppress(BadRequest):
            assert sent_by(request).get("status")


@pytest.mark.parametrize("kind", ["address", "form", "files"])
def test_more_fields_than_any_form_has_are_no_fault(table, kind):
    fields = "&".join(["a=1"] * 600)
    part = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n'
    if kind == "address":
        answer = Client().get(f"/api/v1/instance?{fields}")
    elif kind == "form":
        answer = Client().post("/api/v1/apps", fields, "application/x-www-form-urlencoded")
    else:
        many = part * 60 + "--x--\r\n"
        answer = Client().post("/api/v1/apps", many, "multipart/form-data; boundary=x")
    assert answer.status_code == 413
    assert answer["Content-Type"] == "application/json"
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("handle", ["x" * 3000, "\N{GRINNING FACE}" * 600, "é", "@", "a@", "\0"])
def test_a_handle_that_nobody_can_have_is_not_found(table, handle):
    answer = Client().get("/api/v1/accounts/lookup", {"acct": handle})
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/json")
