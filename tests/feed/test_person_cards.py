"""The card of a person, which pages show beside their name: who sees what in it, through whom they know them, and what
it costs."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile, pause_account
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.in_short import MOST_EDGES
from relations.models import Follower, Following
from socialsite.table import ids, write_batch
from tests.accounts.scenes import rename
from tests.conftest import HTMX, person
from tests.moderation.cases import HIDDEN, restrict
from tests.relations.scenes import befriend, lock
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")
VIEWER, QUERY, BATCH = "BatchGetItem", "Query", "BatchGetItem"


def card(browser: Client, of: str = "bob") -> Html:
    answer = browser.get(f"/@{of}/card", headers=HTMX)
    assert answer.status_code == 200
    return Html(answer)


def reason(browser: Client) -> str:
    """Through whom the viewer knows Bob, in words."""
    return "".join(one.text for one in card(browser).all("p", class_="reason"))


def test_a_card_shows_name_handle_bio_and_counts_and_a_visitor_signs_in_to_follow(alice, bob):
    edit_profile(by=bob, name="Bob <b>", bio="Tea & trams", location="")
    follow(by=alice, user_id=bob.user_id)
    shown = card(Client())
    assert shown.one("bdi").text == "Bob <b>"
    assert shown.one("span", class_="handle").text == "@bob"
    assert shown.one("div", class_="bio").text == "Tea & trams"
    assert shown.one("p", class_="person-card-counts").text == "1 follower 0 following"
    assert shown.one("a", class_="button")["href"] == "/login?next=/%40bob"
    assert not shown.all("button")


def test_a_member_follows_in_the_card_and_its_button_has_an_id_of_its_own(alice, bob, log_in):
    browser = log_in(alice)
    button = card(browser).one("button")
    assert (button["id"], button["aria-pressed"]) == (f"card-follow-{bob.user_id}", "false")
    form = {"on": "1", "place": "card-"}
    pressed = Html(browser.post("/@bob/follow", form, headers=HTMX)).one("button")
    assert (pressed["id"], pressed["aria-pressed"]) == (f"card-follow-{bob.user_id}", "true")
    odd = Html(browser.post("/@bob/follow", form | {"place": '"><b>'}, headers=HTMX)).one("button")
    assert odd["id"] == f"follow-{bob.user_id}"


@pytest.mark.parametrize("said", ["Follows you", "Friend", "Locked account"])
def test_it_says_how_the_two_stand(alice, bob, log_in, said):
    browser = log_in(alice)
    assert not card(browser).all("p", class_="person-card-notes")
    match said:
        case "Follows you":
            follow(by=bob, user_id=alice.user_id)
        case "Friend":
            befriend(alice, bob)
        case _:
            lock(bob)
    assert card(browser).one("p", class_="person-card-notes").text == said


# Through whom the viewer knows them: people who follow the person, of those whom the viewer follows.


@pytest.mark.parametrize(
    ("shared", "friends", "said"),
    [
        (0, 0, ""),
        (1, 0, "Followed by One"),
        (2, 0, "Followed by One and 1 other person you follow"),
        (3, 0, "Followed by One and 2 other people you follow"),
        (2, 1, "Friends with Two"),
        (3, 2, "Friends with Two and 1 more of your friends"),
    ],
)
def test_it_names_one_whom_the_viewer_follows_and_counts_the_others(
    alice, bob, log_in, shared, friends, said
):
    people = [person(name.lower(), name) for name in ("One", "Two", "Three")]
    for one in people:
        follow(by=alice, user_id=one.user_id)
    for one in people[:shared]:
        follow(by=one, user_id=bob.user_id)
    for one in people[1 : 1 + friends]:
        befriend(one, alice)
        befriend(one, bob)
    assert reason(log_in(alice)) == said
    assert not card(Client()).all("p", class_="reason")


def test_a_friendship_with_one_of_the_two_alone_is_not_told(alice, bob, carol, log_in):
    follow(by=alice, user_id=carol.user_id)
    follow(by=carol, user_id=bob.user_id)
    befriend(carol, bob)  # Alice is no friend of hers
    assert reason(log_in(alice)) == "Followed by Carol 陈"


@pytest.mark.parametrize("what", ["pause", "suspend", "block"])
def test_whom_the_viewer_does_not_see_is_not_named(alice, bob, carol, log_in, what):
    follow(by=alice, user_id=carol.user_id)
    follow(by=carol, user_id=bob.user_id)
    match what:
        case "pause":
            pause_account(by=carol)
        case "suspend":
            restrict(carol, Restriction.SUSPENDED)
        case _:
            block(by=carol, user_id=alice.user_id)
    assert reason(log_in(alice)) == ""


# As the profile: nothing of people who are not to be seen.


@pytest.mark.parametrize("kind", ["blocks", "blocked", "suspended", *HIDDEN])
def test_there_is_no_card_of_whom_the_viewer_does_not_see(alice, bob, log_in, kind):
    match kind:
        case "blocks":
            block(by=alice, user_id=bob.user_id)
        case "blocked":
            block(by=bob, user_id=alice.user_id)
        case "suspended":
            restrict(bob, Restriction.SUSPENDED)
        case _:
            HIDDEN[kind](bob)
    for browser in (log_in(alice), *([] if "block" in kind else [Client()])):
        answer, profile = browser.get("/@bob/card", headers=HTMX), browser.get("/@bob")
        assert answer.status_code == (404 if kind == "blocks" else profile.status_code)
        assert answer.status_code in (404, 410)
        assert b"person-card" not in answer.content


def test_opened_by_itself_it_is_the_profile_and_a_former_handle_leads_on(alice, bob, log_in):
    assert log_in(alice).get("/@bob/card")["Location"] == "/@bob"
    rename(bob, "robert")
    assert Client().get("/@bob/card", headers=HTMX)["Location"] == "/@robert/card"
    meant = Client().get(f"/@alice/card?id={bob.user_id}", headers=HTMX)
    assert meant["Location"] == "/@robert/card"


# Three calls beside the viewer, and a stated number of edges however many people follow the two.


def fill(alice: Viewer, bob: Viewer, count: int) -> None:
    """Lets Alice follow so many people, all of whom follow Bob, and who are gone since."""
    others = sorted(ids.new_id() for _ in range(count))
    edges = [Following.new(user_id=alice.user_id, followed_id=one) for one in others]
    write_batch(
        puts=[*edges, *(Follower.new(user_id=bob.user_id, follower_id=one) for one in others)]
    )


@capacity
@pytest.mark.parametrize(("edges", "most"), [(0, 6), (20, 15), (MOST_EDGES + 50, 28)])
def test_a_card_keeps_to_its_calls_and_units(alice, bob, log_in, requests_of, edges, most):
    fill(alice, bob, edges)
    browser = log_in(alice)
    with requests_of() as requests:
        card(browser)
    assert requests.operations == [VIEWER, QUERY, *([QUERY] if edges else []), BATCH]
    assert requests.made[-1].keys <= 26
    assert sum(requests.units[1:]) <= most, requests.units
    assert not any(request.is_consistent for request in requests.made)


@capacity
def test_a_card_of_a_visitor_is_one_call_beside_the_handle(bob, requests_of):
    with requests_of() as requests:
        card(Client())
    assert requests.operations == ["BatchGetItem", "BatchGetItem"]
    assert requests.units == [0.5, 1]
