"""Hints above the reports: looked at as the draft of a wave, or put away."""

import pytest
from django.test import Client

from accounts.permissions import Permission
from accounts.services.grant_role import save_role
from accounts.viewer import Viewer
from moderation.hints.access_patterns import list_hints
from moderation.models import HintKind
from tests.conftest import person
from tests.moderation.cases import logged, withheld
from tests.moderation.hints import SPAM, all_post, newcomers
from tests.moderation.queues import QUEUE
from tests.moderation.test_wave_pages import page_text, said, start
from tests.web.html import Html

GONE = "/moderation/hints/2026-11-23-text-0"


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def authors(table, drain_stream) -> list[Viewer]:
    """Five new accounts that posted the same."""
    authors = newcomers(5)
    all_post(authors)
    drain_stream()
    return authors


def hint_url() -> str:
    [hint] = list_hints(HintKind)
    return hint.url


def test_a_hint_stands_above_the_reports_and_nowhere_else(authors, moderator):
    text = Html(moderator.get(QUEUE)).one("ul", aria_labelledby="hints").text
    assert "5 new accounts posted the same text" in text
    assert SPAM in text
    for tab in ("mine", "desks", "appeals", "closed"):
        page = moderator.get(f"{QUEUE}?queue={tab}")
        assert not Html(page).all("ul", aria_labelledby="hints"), tab


def test_without_a_hint_there_is_nothing_of_it(moderator):
    assert "This may be a wave" not in page_text(moderator.get(QUEUE))


def test_a_look_at_all_is_a_draft_about_everyone_which_does_nothing(
    authors, moderator, drain_stream
):
    answer = moderator.post(f"{hint_url()}/look")
    address = str(answer["Location"])
    page = Html(moderator.get(address))
    included = {box["value"] for box in page.all("input", name="include", checked="")}
    assert included == {f"person.{author.user_id}" for author in authors}
    assert page.one("input", name="kind", checked="")["value"] == "hide"
    drain_stream()
    assert not logged()


def test_the_draft_of_a_hint_hides_every_post_it_is_about(authors, moderator, drain_stream):
    posts = all_post(authors)
    drain_stream()
    [hint] = list_hints(HintKind)
    address = str(moderator.post(f"{hint.url}/look")["Location"])
    start(moderator, address, "hide")
    [entry] = logged()
    assert (entry.action, entry.detail["hint"]) == ("start wave", hint.hint_id)
    drain_stream()
    assert "5 cases decided." in page_text(moderator.get(address))
    for author, post_id in zip(authors, posts, strict=True):
        assert withheld(author, post_id)
    assert not list_hints(HintKind)  # it is dealt with


def test_a_hint_that_was_put_away_stays_away_for_everyone(
    authors, moderator, admin, log_in, drain_stream
):
    address = hint_url()
    for _ in range(2):
        answer = moderator.post(f"{address}/put-away")
        assert answer.status_code == 302
    assert "put away" in said(moderator, answer)
    all_post([person("late")])
    drain_stream()
    assert "This may be a wave" not in page_text(log_in(admin).get(QUEUE))
    assert [entry.action for entry in logged()] == ["put hint away"]


def test_a_get_and_a_hint_that_never_was_change_nothing(authors, moderator):
    for rest in ("look", "put-away"):
        assert moderator.get(f"{hint_url()}/{rest}").status_code == 405
        assert moderator.post(f"{GONE}/{rest}").status_code == 404
    assert not logged()


def test_hints_are_for_those_who_open_cases(authors, alice, admin, log_in):
    save_role(by=admin, name="host", title="Host", permissions={Permission.SIGN_UPS})
    for browser in (Client(), log_in(alice), log_in(person("hosty", role="host"))):
        for rest in ("look", "put-away"):
            assert browser.post(f"{hint_url()}/{rest}").status_code == 404
