"""The description of the API is that of its code, and true: each address is in it, and what it says is answered."""

import re
from itertools import pairwise
from typing import Any

import jsonschema
import pytest
from django.test import Client
from django.urls import get_resolver, resolve

from accounts.access.scopes import SCOPES
from api.developers import answers
from api.developers.code import addresses, asked_by
from api.developers.description import description
from api.developers.entities import ENTITIES
from api.inbox import notifications
from api.people.views import relationships, statuses
from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.sharing.writes import repost
from relations.follows.writes import follow
from socialsite.table import ids
from tests.api.conftest import App, token_of
from tests.conftest import post
from tests.web.html import Html

# Pages for people, and what is no address.
NO_CALLS = {"authorize", "developers", "no_such_address_of_api", "photo_for_app"}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, told)
        for path, methods in description()["paths"].items()
        for method, told in methods.items()
    ]


def test_each_address_is_described_with_each_of_its_methods():
    known = {one.name for one in get_resolver("api.urls").url_patterns}
    assert {one.called for one in addresses()} == known - NO_CALLS
    told = {(method, path) for method, path, _told in operations()}
    assert told == {(method, one.path) for one in addresses() for method in one.views}


def sample(pattern: str) -> str:
    """What stands in an address in the place of such a part."""
    length = re.search(r"\{(\d+)", pattern)
    return "0" * int(length[1]) if length else "cats"


def test_each_described_address_exists():
    for one in addresses():
        path = one.path.format_map({name: sample(of) for name, of in one.parts.items()})
        for written in (path, f"{path}/"):
            assert resolve(written).url_name == one.called, written


def test_it_names_scopes_that_there_are_and_every_operation_once():
    named = [told["operationId"] for _method, _path, told in operations()]
    assert len(named) == len(set(named))
    scopes = {
        one for _, _, told in operations() for way in told["security"] for one in way.get("app", ())
    }
    assert scopes <= set(SCOPES)


def test_words_about_addresses_are_about_those_that_there_are():
    known = {f"{method} {path}" for method, path, _told in operations()}
    for words in (answers.ANSWERS, answers.SUMMARIES, answers.SCOPES):
        assert words.keys() <= known
    for words in (answers.READ_ELSEWHERE, answers.FILES):
        assert words.keys() <= known
    for begin in answers.BUTTONS:
        assert any(one.startswith(begin) for one in known), begin


def test_parameters_are_those_that_the_code_asks_for():
    assert asked_by(relationships) == {"id": "list"}
    assert asked_by(notifications)["exclude_types"] == "list"
    assert asked_by(statuses)["only_media"] == "flag"
    assert {"max_id", "limit"} <= asked_by(statuses).keys()


def test_a_scope_that_is_missing_is_refused_as_it_is_described(alice):
    """Of each address that is read and needs one."""
    caller = App(token_of(alice, "push"))
    for method, path, told in operations():
        scope = next(iter(told["security"][-1]["app"]), "")
        if method == "GET" and scope not in ("", "push") and "{" not in path:
            assert caller.ask("get", path).status_code == 403, path


def test_anyone_reads_it(table):
    answer = Client().get("/api/openapi.json")
    assert answer.json()["openapi"] == "3.1.0"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer.json()["servers"] == [{"url": "http://testserver"}]


def check(given: Any, name: str) -> None:
    """What was answered is what the entity says, and nothing more."""
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": ENTITIES}}
    jsonschema.validate(given, whole)
    if "properties" in ENTITIES[name]:
        assert given.keys() <= ENTITIES[name]["properties"].keys(), name


@pytest.fixture
def posts(alice, bob, carol, drain_stream):
    """Alice follows Bob, who wrote, asked, answered and reposted."""
    follow(by=alice, user_id=bob.user_id)
    first = post(alice, "Hello #cats and @bob")
    asked = PollWish(("Yes", "No"))
    publish_post(by=bob, content="Tea?", nonce=ids.new_id(), poll=asked)
    repost(by=bob, post=Pointer(first, alice.user_id))
    drain_stream()
    return first


def test_entities_are_answered_as_they_are_described(alice, bob, posts):
    caller = App(token_of(alice))
    home = caller.get("/api/v1/timelines/home")
    assert any(one["poll"] for one in home)
    assert any(one["reblog"] for one in home)
    for one in home:
        check(one, "Status")
        check(one["account"], "Account")
    for one in caller.get("/api/v1/notifications"):
        check(one, "Notification")
    for one in caller.get("/api/v1/accounts/relationships", id=bob.user_id):
        check(one, "Relationship")
    check(caller.get("/api/v2/search", q="cats"), "Search")
    check(caller.get("/api/v2/instance"), "Instance")
    check(caller.get("/api/v1/accounts/verify_credentials"), "CredentialAccount")
    check(caller.get(f"/api/v1/statuses/{posts}{alice.user_id}/context"), "Context")


def test_the_page_says_how_to_begin_and_names_every_address(table):
    page = Html(Client().get("/developers"))
    text = page.one("main").text
    assert "http://testserver/api/v1/timelines/home" in page.one("pre", id="call").text
    assert "300 calls in 5 minutes" in text
    for _method, path, _told in operations():
        assert path in text
    levels = [int(one.tag[1]) for one in page.elements if one.tag in ("h1", "h2", "h3", "h4")]
    assert all(after <= before + 1 for before, after in pairwise(levels))
