"""What one chooses about one person: the star, notifications of their posts, no reposts."""

import pytest

from accounts.profile.writes import edit_profile
from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.sharing.writes import repost
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.models import PostSubscriber
from relations.own_choices import writes
from relations.own_choices.writes import favourite, subscribe, unfavourite, unsubscribe
from relations.reads import get_person
from socialsite.table import keys, query, row
from tests.conftest import HTMX, person, post
from tests.looks import broken_invariants
from tests.relations.scenes import OFF, ON, relationship
from tests.streams.crowd import home, returning
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
    assert [one["name"] for one in html.all("select")] == ["pronoun", "level"]
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


PRESS_SUBSCRIBE = "/@bob/subscribe"


# Notifications of a favourite's posts: chosen, taken back, and gone with the favourite.


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
        assert browser.post(PRESS_SUBSCRIBE, wanted).status_code == 302
        assert relationship(alice, bob).is_subscribed is expected
        assert subscribers(bob) == ([alice.user_id] if expected else [])
    drain_stream()
    assert broken_invariants() == {}


@pytest.mark.usefixtures("starred")
def test_the_menu_of_a_favourite_offers_what_is_not_so(alice, log_in):
    browser = log_in(alice)
    page = Html(browser.get("/@bob"))
    assert page.one("button", formaction=PRESS_SUBSCRIBE).text == "Notify me of new posts"
    header = Html(browser.post(PRESS_SUBSCRIBE, ON, headers=HTMX))
    assert header.elements[0]["id"] == "profile"
    assert header.one("button", formaction=PRESS_SUBSCRIBE).text == "Stop post notifications"


def test_it_is_for_favourites_alone(alice, bob, log_in, drain_stream):
    browser = log_in(alice)
    assert not Html(browser.get("/@bob")).all("button", formaction=PRESS_SUBSCRIBE)
    answer = browser.post(PRESS_SUBSCRIBE, ON)
    assert answer.status_code == 409
    assert "Add @bob to your favourite people first." in answer.content.decode()
    assert browser.post(PRESS_SUBSCRIBE, OFF).status_code == 302
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


# Hiding what one person reposts: at once, in the home timeline alone, and only their reposts.

PATH = "/@bob/hide-reposts"


@pytest.fixture
def reposted(alice, bob, carol, drain_stream) -> tuple[str, str]:
    """A post of Alice that Bob reposted, and one of his own, both in the timeline of Carol."""
    follow(by=carol, user_id=bob.user_id)
    theirs, own = post(alice), post(bob)
    repost(by=bob, post=Pointer(theirs, alice.user_id))
    drain_stream()
    assert home(carol) == [theirs, own]
    return theirs, own


def test_reposts_are_gone_at_once_and_come_back(bob, carol, reposted, log_in):
    theirs, own = reposted
    browser = log_in(carol)
    for _ in range(2):
        assert browser.post(PATH, ON)["Location"] == "/@bob"
        assert home(carol) == [own]
    for _ in range(2):
        browser.post(PATH, OFF)
        assert home(carol) == [theirs, own]


def test_they_stay_on_the_profile(bob, carol, reposted, log_in):
    log_in(carol).post(PATH, ON)
    viewer = returning(carol)
    page = list_posts(get_person(bob.user_id, viewer=viewer), viewer=viewer)
    assert [card.post_id for card in page.items] == [*reposted]


def test_over_htmx_the_menu_offers_the_way_back(carol, reposted, log_in):
    browser = log_in(carol)
    for form, offered in ((ON, "0"), (OFF, "1")):
        page = Html(browser.post(PATH, form, headers=HTMX))
        assert page.one("button", formaction=PATH)["value"] == offered
    assert not Html(browser.get("/@alice")).all("button", formaction="/@alice/hide-reposts")


def test_more_than_a_hundred_are_refused_in_words(alice, carol, reposted, log_in, monkeypatch):
    monkeypatch.setattr("relations.own_choices.writes.MOST", 1)
    browser = log_in(carol)
    follow(by=carol, user_id=alice.user_id)
    browser.post("/@alice/hide-reposts", ON)
    response = browser.post(PATH, ON)
    assert response.status_code == 409
    assert "up to 100 people" in response.content.decode()
