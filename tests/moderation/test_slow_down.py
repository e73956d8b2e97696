"""A site that is slowed down holds the first posts of newcomers and has new accounts wait, until the end comes."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from feed.posts.content_checks import judge_post
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import SLOW_FIRST_POSTS, SignUp, SiteRules
from tests.conftest import person, post
from tests.moderation.joining import join, waits
from tests.moderation.site import logged, set_up
from tests.web.html import Html

SWITCH, WAVES, SITE = "/moderation/slow-down", "/moderation/waves", "/moderation/site"
LATER = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
BEFORE = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()


def verdict_on(author) -> str:
    return judge_post(by=author, content="Hello", audience="").withheld


def test_first_posts_are_held_and_those_of_others_are_not(mod, alice, log_in):
    for _ in range(SLOW_FIRST_POSTS):
        post(alice)
    newcomer = person("newcomer")
    log_in(mod).post(SWITCH, {"hours": "6"})
    assert verdict_on(newcomer) == "held"
    assert verdict_on(alice) == ""


def test_new_accounts_wait_for_approval(mod, log_in):
    log_in(mod).post(SWITCH, {"hours": "1"})
    assert Html(Client().get("/signup")).one("textarea", name="asked")
    assert join().status_code == 302
    assert waits()


def test_who_could_not_sign_up_before_cannot_now():
    for kept in (SignUp.INVITE, SignUp.CLOSED, SignUp.APPROVAL):
        assert SiteRules(sign_up=kept, slow_until=LATER).sign_up_now == kept
    assert SiteRules(hold_first_posts=9, slow_until=LATER).held_first_posts_now == 9


def test_it_ends_by_itself():
    ended = SiteRules(slow_until=BEFORE)
    assert (ended.is_slow, ended.sign_up_now, ended.held_first_posts_now) == (False, "open", 0)


def test_it_is_ended_before_that_and_the_log_has_both(mod, log_in):
    browser = log_in(mod)
    browser.post(SWITCH, {"hours": "72"})
    assert "End now" in Html(browser.get(WAVES)).one("section", aria_labelledby="slow-down").text
    browser.post(SWITCH, {"hours": "0"})
    assert not read_site_rules().slow_until
    text = Html(browser.get(WAVES)).one("section", aria_labelledby="slow-down").text
    assert "End now" not in text
    assert [action for _, action, _ in logged()] == ["slow down", "speed up"]


def test_saving_the_settings_leaves_it(admin, log_in):
    log_in(admin).post(SWITCH, {"hours": "1"})
    set_up(admin, hold_first_posts=1)
    assert read_site_rules().is_slow
    assert "End now" in str(log_in(admin).get(SITE).content)


@pytest.mark.parametrize("hours", ["", "-1", "2", "ever"])
def test_other_times_make_no_sense(mod, log_in, hours):
    assert log_in(mod).post(SWITCH, {"hours": hours}).status_code == 400
