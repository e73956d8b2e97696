"""Developers see each building block with an example of their table, and nobody else does."""

import pytest
from django.test import Client

from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.threads.writes import reply
from lens.concepts.blocks import CONCEPTS
from lens.concepts.concept import find_place
from relations.follows.writes import follow
from relations.own_choices.writes import favourite
from socialsite.table import keys, measure
from tests.conftest import post
from tests.relations.scenes import befriend
from tests.web.html import Html

OUTSIDE = "203.0.113.7"
ADDRESSES = ["/dev/concepts", *(f"/dev/concepts/{name}" for name in CONCEPTS)]


@pytest.fixture
def society(alice, bob, carol, drain_stream):
    """A little of everything, as in the demo table."""
    befriend(alice, bob)
    favourite(by=alice, user_id=bob.user_id)
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)
    liked = post(bob, "Hello")
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    reply(by=alice, to=Pointer(liked, bob.user_id), content="Hello, Bob", nonce="1")
    post(alice, "Good morning")
    drain_stream()


def page_of(browser: Client, address: str) -> Html:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    assert "no-store" in answer["Cache-Control"]
    return Html(answer)


def words(page: Html) -> str:
    return " ".join(page.one(id="main").text.split())


NO_EXAMPLE = "This table holds no example yet."


@pytest.mark.usefixtures("developing", "table")
def test_on_an_empty_table_each_page_says_so(client):
    assert "Fan-out" in words(page_of(client, "/dev/concepts"))
    for address in ADDRESSES[1:]:
        assert NO_EXAMPLE in words(page_of(client, address))


@pytest.mark.usefixtures("developing", "society")
def test_an_example_is_found_with_what_reading_it_costs(client):
    for name in CONCEPTS:
        page = page_of(client, f"/dev/concepts/{name}")
        links = [link["href"] for link in page.all("a") if "pk=" in link.attributes.get("href", "")]
        assert bool(links) == ("Read just now" in words(page)) == (NO_EXAMPLE not in words(page))
        assert links or name == "archive", name


@pytest.mark.usefixtures("society")
def test_the_viewers_own_partition_comes_first(developing, alice, carol, log_in):
    for person in (alice, carol):
        main = Html(log_in(person).get("/dev/concepts/vertical-partitioning")).one(id="main")
        assert keys.user(person.user_id) in main.text


@pytest.mark.usefixtures("society")
def test_the_figures_of_an_example_are_those_of_the_meter(alice):
    concept = CONCEPTS["fan-out"]
    live = find_place(concept, viewer=alice)
    assert live is not None
    assert live.partition.name == keys.timeline(alice.user_id)
    for example in concept.examples(alice):
        for way, ran in zip(example.ways, live.ran, strict=True):
            with measure() as meter:
                way.ask()
            assert (way.name, meter.read_units) == (ran.name, ran.units)
            assert len(meter.calls) == len(ran.calls)


@pytest.mark.usefixtures("society")
def test_looking_writes_nothing(developing, alice, log_in):
    browser = log_in(alice)
    for address in ADDRESSES:
        with measure() as meter:
            browser.get(address)
        assert meter.write_units == 0


@pytest.mark.usefixtures("developing", "table")
def test_another_name_is_not_found(client):
    for name in ("nothing", "Fan-Out", "fan_out"):
        assert client.get(f"/dev/concepts/{name}").status_code == 404


def test_nobody_else_sees_them(alice, admin, log_in):
    for browser in (Client(), log_in(alice), log_in(admin)):
        for address in (ADDRESSES[0], ADDRESSES[-1]):
            assert browser.get(address).status_code == 404


@pytest.mark.usefixtures("developing")
def test_nor_does_a_browser_elsewhere(alice, log_in):
    browser = log_in(alice)
    for address in ADDRESSES:
        assert browser.get(address, REMOTE_ADDR=OUTSIDE).status_code == 404


@pytest.mark.usefixtures("developing", "table")
def test_the_table_and_the_blocks_lead_to_each_other(client):
    def links(address: str) -> set[str]:
        return {link["href"] for link in page_of(client, address).all("a")}

    assert "/dev/concepts" in links("/dev/table") & links("/dev/lens")
    assert {"/dev/table", "/dev/lens", *ADDRESSES[1:]} <= links("/dev/concepts")
