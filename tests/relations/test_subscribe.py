"""Notifications of a favourite's posts: chosen, taken back, and gone with the favourite."""

import pytest

from relations.blocks.writes import block
from relations.models import PostSubscriber
from relations.own_choices.writes import favourite, subscribe, unfavourite, unsubscribe
from socialsite.table import keys, query, row
from tests.conftest import HTMX
from tests.looks import broken_invariants
from tests.relations.relations import OFF, ON, relationship
from tests.web.html import Html

PRESS = "/@bob/subscribe"


@pytest.fixture
def starred(alice, bob) -> None:
    favourite(by=alice, user_id=bob.user_id)


def subscribers(author) -> list[str]:
    found = query(keys.post_subscribers(author.user_id), consistent=True)
    return [row(PostSubscriber, raw).subscriber_id for raw in found]


@pytest.mark.usefixtures("starred")
def test_it_is_switched_on_and_off_as_often_as_wanted(alice, bob, log_in, drain_stream):
    browser = log_in(alice)
    for wanted, expected in ((ON, True), (ON, True), (OFF, False), (OFF, False), (ON, True)):
        assert browser.post(PRESS, wanted).status_code == 302
        assert relationship(alice, bob).is_subscribed is expected
        assert subscribers(bob) == ([alice.user_id] if expected else [])
    drain_stream()
    assert broken_invariants() == {}


@pytest.mark.usefixtures("starred")
def test_the_menu_of_a_favourite_offers_what_is_not_so(alice, log_in):
    browser = log_in(alice)
    page = Html(browser.get("/@bob"))
    assert page.one("button", formaction=PRESS).text == "Notify me of new posts"
    header = Html(browser.post(PRESS, ON, headers=HTMX))
    assert header.elements[0]["id"] == "profile"
    assert header.one("button", formaction=PRESS).text == "Stop post notifications"


def test_it_is_for_favourites_alone(alice, bob, log_in, drain_stream):
    browser = log_in(alice)
    assert not Html(browser.get("/@bob")).all("button", formaction=PRESS)
    answer = browser.post(PRESS, ON)
    assert answer.status_code == 409
    assert "Add @bob to your favourite people first." in answer.content.decode()
    assert browser.post(PRESS, OFF).status_code == 302
    drain_stream()
    assert (subscribers(bob), broken_invariants()) == ([], {})


@pytest.mark.usefixtures("starred")
@pytest.mark.parametrize("end", ["unfavourite", "block", "blocked"])
def test_it_ends_with_the_favourite_and_does_not_come_back_with_it(alice, bob, end, drain_stream):
    subscribe(by=alice, user_id=bob.user_id)
    match end:
        case "unfavourite":
            unfavourite(by=alice, user_id=bob.user_id)
            favourite(by=alice, user_id=bob.user_id)
        case "block":
            block(by=alice, user_id=bob.user_id)
        case "blocked":
            block(by=bob, user_id=alice.user_id)
    assert not relationship(alice, bob).is_subscribed
    drain_stream()
    assert (subscribers(bob), broken_invariants()) == ([], {})


@pytest.mark.usefixtures("starred")
@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_each_press_is_one_transaction_of_six_units(alice, bob, measure):
    for press in (subscribe, unsubscribe):
        with measure() as meter:
            press(by=alice, user_id=bob.user_id)
        assert [(call.operation, call.units) for call in meter.calls] == [("TransactWriteItems", 6)]
