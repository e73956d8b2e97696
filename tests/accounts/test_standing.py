"""The page that says how one's account stands, and the banner that leads to it."""

import pytest
from django.test import Client

from accounts.models import UserSettings
from accounts.people.cards import moment_text
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from socialsite.table import change, get, keys
from tests.moderation.restricting import A_SECOND_AGO, let_wait, restrict
from tests.web.html import Html

HEADINGS = {
    Restriction.SUSPENDED: "Your account is suspended",
    Restriction.FROZEN: "Your account is frozen",
    Restriction.LIMITED: "Your account is limited",
}


def headings(browser: Client) -> list[str]:
    return [heading.text for heading in Html(browser.get("/standing")).all("h2")][: len(HEADINGS)]


def tell(viewer) -> None:
    """What moderators do when they wrote something down for someone."""
    told = [UserSettings.notice.set("yes")]
    change(UserSettings, keys.user_settings(viewer.user_id), told)


def test_an_account_that_nobody_restricted_is_in_good_standing(alice, log_in):
    assert headings(log_in(alice))[0] == "Your account is in good standing"


@pytest.mark.parametrize("restriction", Restriction)
def test_it_says_what_is_restricted_and_until_when(alice, log_in, restriction):
    restrict(alice, restriction)
    page = Html(log_in(alice).get("/standing"))
    card = get_user_info(alice.user_id)
    until = getattr(card, f"{restriction}_until")
    section = page.one("section", class_="standing")
    assert HEADINGS[restriction] in section.text
    assert section.text.endswith(f"Ends on {moment_text(until)}")


@pytest.mark.parametrize("restriction", Restriction)
def test_what_does_not_end_by_itself_is_a_moderators_to_end(alice, log_in, restriction):
    restrict(alice, restriction, lasts=None)
    section = Html(log_in(alice).get("/standing")).one("section", class_="standing")
    assert section.text.endswith("This lasts until a moderator lifts it.")


@pytest.mark.parametrize("restriction", Restriction)
def test_what_is_over_is_not_there(alice, log_in, restriction):
    restrict(alice, restriction, lasts=A_SECOND_AGO)
    assert headings(log_in(alice))[0] == "Your account is in good standing"


def test_several_stand_there_with_the_gravest_first(alice, log_in):
    for restriction in reversed(HEADINGS):
        restrict(alice, restriction)
    assert headings(log_in(alice)) == list(HEADINGS.values())


def test_who_waits_reads_that_a_moderator_will_look(alice, log_in):
    let_wait(alice)
    assert headings(log_in(alice))[0] == "Your account is waiting for approval"


def test_a_notice_is_on_every_page_until_it_is_read(alice, log_in, measure):
    browser = log_in(alice)
    assert not Html(browser.get("/local")).all("p", class_="banner")
    tell(alice)
    for path in ("/", "/local", "/@alice"):
        assert Html(browser.get(path)).one("p", class_="banner").text == (
            "You have a message from a moderator. Read it"
        )
    assert Html(browser.get("/standing")).one("form", action="/standing")
    with measure() as meter:
        assert browser.post("/standing")["Location"] == "/"
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "UpdateItem"]
    assert not Html(browser.get("/local")).all("p", class_="banner")
    assert not Html(browser.get("/standing")).all("form", action="/standing")


def test_reading_it_twice_and_without_a_notice_changes_nothing(alice, log_in):
    for _ in range(2):
        assert log_in(alice).post("/standing").status_code == 302
    assert get(UserSettings, keys.user_settings(alice.user_id)).notice is None


def test_looking_alone_does_not_take_it_away(alice, log_in):
    tell(alice)
    for _ in range(2):
        assert Html(log_in(alice).get("/standing")).all("form", action="/standing")


def test_one_reads_ones_own_alone(alice, bob, log_in):
    tell(alice)
    log_in(bob).post("/standing")
    assert get(UserSettings, keys.user_settings(alice.user_id)).notice == "yes"


def test_it_is_kept_by_no_cache(alice, log_in):
    assert log_in(alice).get("/standing")["Cache-Control"] == "no-store"
