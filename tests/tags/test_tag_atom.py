"""The posts with a tag for feed readers: valid Atom, the same for everyone, and nothing that visitors do not see."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.publishing.writes import delete_post
from relations.blocks.writes import block
from tests.conftest import post
from tests.feed.outside import Feed
from tests.moderation.restricting import mark_sensitive, restrict, withhold
from tests.web.html import Html

SITE = "http://testserver"
PAGE = "/tags/cats/feed.atom"
pytestmark = pytest.mark.engines("embedded", reason="looks at the feed, which no engine changes")


def feed(browser: Client | None = None) -> Feed:
    return Feed.of((browser or Client()).get(PAGE))


def test_it_holds_the_newest_posts_whole_with_their_authors(alice, bob, drain_stream):
    posts = [post(alice, f"number {number} #cats") for number in range(22)]
    posts.append(post(bob, "Look: #Cats"))
    drain_stream()
    found = feed()
    assert found.text("a:title") == "#cats"
    assert found.links("a:link", "alternate") == [f"{SITE}/tags/cats"]
    assert found.links("a:link", "self") == [f"{SITE}{PAGE}"]
    entries = found.links("a:entry/a:link", "alternate")
    assert [address.rpartition("/")[2] for address in entries] == posts[:2:-1]
    assert found.texts("a:content")[0] == f'Look: <a href="{SITE}/tags/cats">#Cats</a>'
    assert found.texts("a:author/a:name")[:2] == ["Bob Brandt", "Alice Archer"]


def test_an_empty_feed_is_valid_and_stays_the_same(table):
    first, second = Client().get(PAGE), Client().get(PAGE)
    assert first.content == second.content
    assert feed().texts("a:content") == []


def test_a_reader_that_has_it_gets_a_304_until_something_changes(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    tag = Client().get(PAGE)["ETag"]
    again = Client().get(PAGE, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    delete_post(by=alice, post_id=post_id)
    assert Client().get(PAGE, headers={"If-None-Match": tag}).status_code == 200


def test_it_is_as_visitors_see_it_whoever_asks(alice, bob, log_in, drain_stream):
    post(alice, "#cats")
    drain_stream()
    block(by=alice, user_id=bob.user_id)
    answers = [browser.get(PAGE) for browser in (Client(), log_in(alice), log_in(bob))]
    assert len({answer.content for answer in answers}) == 1
    assert "Cookie" not in answers[0]["Vary"]


@pytest.mark.parametrize("hide", ["suspended", "limited", "withheld"])
def test_a_hidden_post_is_absent_as_if_it_had_never_been(alice, drain_stream, hide):
    empty = Client().get(PAGE).content
    post_id = post(alice, "#cats")
    drain_stream()
    if hide == "withheld":
        withhold(alice, post_id)
    else:
        restrict(alice, Restriction(hide))
    assert Client().get(PAGE).content == empty


def test_a_sensitive_post_is_covered(alice, drain_stream):
    post_id = post(alice, "Blood #cats")
    drain_stream()
    mark_sensitive(alice, post_id)
    assert "Blood" not in Client().get(PAGE).content.decode()


def test_the_page_names_its_feed(table):
    page = Html(Client().get("/tags/cats"))
    assert [link["href"] for link in page.all("link", rel="alternate")] == [PAGE]
