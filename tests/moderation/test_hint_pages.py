"""Hints above the reports: looked at as the draft of a wave, or put away."""

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.cases.reads import is_open, read_case
from moderation.models import HintKind
from moderation.reports.reads import list_own_reports
from moderation.suspicions.reads import list_hints
from tests.conftest import person
from tests.moderation.cases import about, broken, info, logged, withheld
from tests.moderation.hints import SPAM, all_post, newcomers
from tests.moderation.queues import QUEUE, report, rows
from tests.moderation.test_wave_pages import WAVES, page_text, said, start
from tests.web.html import Html


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


def test_hints_are_for_those_who_open_cases(authors, alice, admin, log_in):
    save_role(by=admin, name="host", title="Host", permissions={Permission.SIGN_UPS})
    for browser in (Client(), log_in(alice), log_in(person("hosty", role="host"))):
        for rest in ("look", "put-away"):
            assert browser.post(f"{hint_url()}/{rest}").status_code == 404


# Hints that are one, and what becomes of them


LINKED = f"{SPAM} https://spam.example"


@pytest.fixture
def linkers(table, drain_stream) -> list[Viewer]:
    """Five new accounts that posted the same text with the same link: two hints about the same accounts."""
    authors = newcomers(5)
    all_post(authors, LINKED)
    drain_stream()
    return authors


def test_hints_about_the_same_accounts_are_one(linkers, moderator):
    [hint] = list_hints(HintKind)
    assert (hint.kind, [other.kind for other in hint.also]) == (HintKind.TEXT, [HintKind.LINK])
    page = Html(moderator.get(QUEUE))
    shown = page.one("ul", aria_labelledby="hints").text
    assert "5 new accounts posted the same text" in shown
    assert "5 new accounts linked to spam.example" in shown
    assert not page.all("ul", aria_labelledby="more-hints")


def test_hints_about_others_stay_apart_and_only_the_first_is_unfolded(
    linkers, moderator, drain_stream
):
    others = [person(f"other{number}") for number in range(6)]
    all_post([*others, linkers[0]], "Something else is said here by seven")
    drain_stream()
    assert [hint.authors for hint in list_hints(HintKind)] == [5, 7]
    page = Html(moderator.get(QUEUE))
    assert "5 new accounts" in page.one("ul", aria_labelledby="hints").text
    assert "7 new accounts" in page.one("ul", aria_labelledby="more-hints").text
    assert "1 more hint" in page_text(moderator.get(QUEUE))


def test_hints_about_the_same_accounts_are_put_away_together(linkers, moderator):
    moderator.post(f"{hint_url()}/put-away")
    assert not list_hints(HintKind)


def test_a_wave_from_a_hint_closes_the_cases_that_its_preview_showed(
    linkers, moderator, drain_stream, alice, bob
):
    """Three of five were reported; all are suspended, their reporters are told, and one press takes it back."""
    reported, others = linkers[:3], linkers[3:]
    for one in reported:
        report(one, by=[alice, bob])
    address = str(moderator.post(f"{hint_url()}/look")["Location"])
    start(moderator, address, "suspend")
    drain_stream()
    assert "5 cases decided." in page_text(moderator.get(address))
    assert all(info(one).suspended_until for one in linkers)
    assert not any(is_open(read_case(about(one))) for one in linkers)
    assert not rows(moderator.get(QUEUE))
    assert {one.outcome for one in list_own_reports(viewer=alice)} == {"suspend"}
    assert not list_hints(HintKind)
    moderator.post(f"{address}/undo")
    drain_stream()
    assert not any(info(one).suspended_until for one in linkers)
    assert all(is_open(read_case(about(one))) for one in [*reported, *others])
    assert {one.outcome for one in list_own_reports(viewer=alice)} == {""}
    assert not broken()


def test_a_report_after_the_preview_still_waits(linkers, moderator, drain_stream, alice, bob):
    report(linkers[0], by=[alice])
    address = str(moderator.post(f"{hint_url()}/look")["Location"])
    report(linkers[0], by=[bob], rule="violence", severity=1)
    start(moderator, address, "suspend")
    drain_stream()
    assert all(info(one).suspended_until for one in linkers)
    assert [is_open(read_case(about(one))) for one in linkers] == [True] + [False] * 4


def test_reports_that_the_preview_showed_can_be_dismissed(linkers, moderator, drain_stream, alice):
    report(linkers[0], by=[alice])
    address = str(moderator.post(f"{hint_url()}/look")["Location"])
    start(moderator, address, "dismiss")
    drain_stream()
    assert "1 case decided. 4 left out." in page_text(moderator.get(address))
    assert not is_open(read_case(about(linkers[0])))


def test_a_wave_begun_elsewhere_about_all_accounts_of_a_hint_deals_with_it(
    linkers, moderator, drain_stream, alice
):
    for one in linkers:
        report(one, by=[alice])
    boxes = [box["value"] for box in Html(moderator.get(QUEUE)).all("input", name="targets")]
    some = str(moderator.post(WAVES, {"action": "warn", "targets": boxes[:4]})["Location"])
    start(moderator, some, "warn")
    assert list_hints(HintKind)
    everyone = [f"person.{one.user_id}.0" for one in linkers]
    address = str(moderator.post(WAVES, {"action": "suspend", "targets": everyone})["Location"])
    start(moderator, address, "suspend")
    assert not list_hints(HintKind)
    drain_stream()
    assert not rows(moderator.get(QUEUE))
