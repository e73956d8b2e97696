"""The star: given, taken back, at most thirty."""

import pytest

from relations.blocks.writes import block
from relations.own_choices import writes
from tests.conftest import HTMX
from tests.relations.relations import OFF, ON, relationship
from tests.web.html import Html

PRESS = "/@bob/favourite"


def test_a_star_is_given_and_taken_back(alice, bob, log_in):
    browser = log_in(alice)
    for wanted, holds in ((ON, True), (ON, True), (OFF, False), (OFF, False), (ON, True)):
        assert browser.post(PRESS, wanted).status_code == 302
        assert relationship(alice, bob).is_favourite is holds
    assert not relationship(bob, alice).is_favourite


def test_over_htmx_the_header_shows_it(alice, bob, log_in):
    html = Html(log_in(alice).post(PRESS, ON, headers=HTMX))
    assert html.elements[0]["id"] == "profile"
    assert html.one("button", formaction=PRESS)["value"] == "0"
    assert "Favourite" in html.one("ul", class_="chips").text


def test_favourites_are_listed_for_their_owner(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PRESS, ON)
    assert Html(browser.get("/friends?show=favourites")).handles() == ["bob"]
    assert Html(log_in(bob).get("/friends?show=favourites")).handles() == []
    answer = browser.post(PRESS, OFF | {"place": "favourites"}, headers=HTMX)
    assert Html(answer).one("article")["id"] == f"favourites-{bob.user_id}"


def test_more_than_thirty_are_refused_in_words(alice, bob, carol, log_in, monkeypatch):
    monkeypatch.setattr(writes, "MOST_FAVOURITES", 1)
    browser = log_in(alice)
    browser.post(PRESS, ON)
    response = browser.post("/@carol/favourite", ON)
    assert response.status_code == 409
    assert "30 favourite people" in response.content.decode()
    browser.post(PRESS, OFF)
    assert browser.post("/@carol/favourite", ON).status_code == 302


def test_nobody_stars_across_a_block(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    assert log_in(alice).post(PRESS, ON).status_code == 403


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_the_star_costs_a_query_a_read_and_a_transaction(alice, bob, measure):
    with measure() as meter:
        writes.favourite(by=alice, user_id=bob.user_id)
    assert [call.operation for call in meter.calls] == [
        "Query",
        "BatchGetItem",
        "TransactWriteItems",
    ]
    assert [call.units for call in meter.calls] == [0.5, 0.5, 7]
    with measure() as meter:
        writes.unfavourite(by=alice, user_id=bob.user_id)
    assert [call.units for call in meter.calls] == [5]
