"""The star: given, taken back, at most thirty."""

import pytest

from accounts.profile.writes import edit_profile
from relations.blocks.writes import block
from relations.own_choices import writes
from tests.conftest import HTMX, person
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


@pytest.fixture
def two_favourites(alice, bob, carol):
    """Alice's favourites: Bob of Berlin and Carol of Córdoba, neither of them a friend."""
    edit_profile(by=bob, bio="", location="Berlin", gender="he/him")
    edit_profile(by=carol, bio="", location="Córdoba", gender="she/her")
    for one in (bob, carol):
        writes.favourite(by=alice, user_id=one.user_id)


@pytest.mark.usefixtures("two_favourites")
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("location=cordoba", ["carol"]),
        ("gender=she", ["carol"]),
        ("pronoun=he", ["bob"]),
        ("pronoun=she&location=berlin", []),
        ("circle=Family&q=tea", ["bob", "carol"]),  # which favourites do not have
    ],
)
def test_favourites_are_narrowed_down_by_place_and_pronouns(alice, log_in, asked, found):
    response = log_in(alice).get(f"/friends?show=favourites&{asked}")
    html = Html(response)
    assert html.handles() == found
    form = html.one("form", class_="filter-form")
    assert [one["name"] for one in html.all("select")] == ["pronoun"]
    assert not html.all("input", name="q", id="filter-q")
    assert form["action"] == "/friends"
    assert html.value("show") == "favourites"
    assert ("None of your favourite people match" in response.content.decode()) == (not found)


def test_pages_of_favourites_keep_what_was_asked(alice, log_in):
    fans = [person(f"star{number:02}") for number in range(22)]
    for one in fans:
        edit_profile(by=one, bio="", location="Berlin")
        writes.favourite(by=alice, user_id=one.user_id)
    browser = log_in(alice)
    first = Html(browser.get("/friends?show=favourites&location=berlin"))
    following = first.link("next")
    assert "show=favourites&location=berlin" in following
    rest = Html(browser.get(following, headers=HTMX))
    assert first.handles() + rest.handles() == [one.handle for one in fans]


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
