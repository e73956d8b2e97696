"""Who reports very much is asked to wait, and counts once in a case."""

import pytest

from moderation.cases.reads import read_case
from moderation.reports import views
from moderation.reports.writes import MOST_POSTS
from socialsite.web.limits import REPORTS
from tests.accounts.conftest import DECADE
from tests.conftest import HTMX, post
from tests.faults.crash_points import LONG
from tests.moderation.cases import about
from tests.moderation.reports import report_by
from tests.web.html import Html

SPAM = {"reason": "spam"}
VERY_MANY = 1_000 if LONG else 40


def test_twenty_an_hour_are_much(alice, bob, carol, log_in, limit):
    assert (REPORTS.hits, REPORTS.seconds) == (20, 3600)
    limit(views, "REPORTS", 3)
    browser = log_in(alice)
    for path in ("/@bob/report", "/@carol/report", f"/@bob/posts/{post(bob)}/report"):
        assert browser.post(path, SPAM).status_code == 302
    response = browser.post("/@carol/report", SPAM)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= DECADE
    assert browser.post("/@carol/report", SPAM, headers=HTMX).status_code == 429
    assert log_in(carol).post("/@bob/report", SPAM).status_code == 302


def test_looking_at_the_form_and_what_is_refused_count_nothing(alice, bob, log_in, limit):
    limit(views, "REPORTS", 1)
    browser = log_in(alice)
    for _ in range(3):
        assert browser.get("/@bob/report").status_code == 200
        assert browser.post("/@bob/report", {}).status_code == 422
        assert browser.post("/@alice/report", SPAM).status_code == 400
        assert browser.post("/@nobody_here/report", SPAM).status_code == 404
    assert browser.post("/@bob/report", SPAM).status_code == 302


@pytest.mark.engines("embedded", reason="very many requests, of which no engine changes any")
def test_very_many_reports_by_one_person_are_limited_and_one_in_the_case(
    alice, bob, carol, log_in, limit
):
    limit(views, "REPORTS", REPORTS.hits)
    browser, posts = log_in(alice), [post(bob) for _ in range(REPORTS.hits + 5)]
    answers = [
        browser.post(f"/@bob/posts/{posts[number % len(posts)]}/report", SPAM).status_code
        for number in range(VERY_MANY)
    ]
    assert answers == [302] * REPORTS.hits + [429] * (VERY_MANY - REPORTS.hits)
    log_in(carol).post("/@bob/report", SPAM)
    assert read_case(about(bob)).reports == 2
    assert len(report_by(alice, bob).posts) == MOST_POSTS


def test_the_page_says_when_to_come_back(alice, bob, log_in, limit):
    limit(views, "REPORTS", 1)
    browser = log_in(alice)
    browser.post("/@bob/report", SPAM)
    response = browser.post("/@bob/report", SPAM)
    assert response.status_code == 429
    assert "That was a lot at once" in Html(response).one("main").text
