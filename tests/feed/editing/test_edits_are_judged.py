"""The site's rules judge an edit as they judge a new post, and moderators come first."""

import pytest

from accounts.people.reads import get_user_info
from feed.publishing.writes import delete_post
from socialsite.site_settings.word_filters import Effect
from tests.conftest import HTMX, post
from tests.feed.editing.edits import broken, edit, said, send, stored
from tests.moderation.restricting import withhold
from tests.moderation.site import word_rule
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


@BOTH
def test_the_sites_rules_judge_the_new_text_too(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = post(alice, "Hello")
    response = send(log_in(alice), post_id, "cheap pills", **extra)
    assert response.status_code == 422
    assert "No spam" in said(Html(response))
    assert Html(response).value("content") == "cheap pills"
    assert stored(alice, post_id).content == "Hello"


@BOTH
def test_a_text_that_is_held_waits_and_does_not_count(admin, alice, bob, log_in, extra):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    post_id = post(alice, "Hello")
    browser = log_in(alice)
    for _ in range(2):  # sent twice
        response = send(browser, post_id, "casino", **extra)
        assert response.status_code in (200, 302)
    page = browser.get("/@alice")
    said = response["HX-Trigger"] if extra else Html(page).one(id="toasts").text
    assert "A moderator will review your post" in said
    assert (stored(alice, post_id).withheld, stored(alice, post_id).flagged) == ("held", rule_id)
    assert get_user_info(alice.user_id).posts == 0
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    assert not broken()
    delete_post(by=alice, post_id=post_id)
    assert get_user_info(alice.user_id).posts == 0


def test_a_word_rule_may_limit_the_author_of_an_edit(admin, alice, drain_stream):
    word_rule(admin, "casino", Effect.LIMIT)
    post_id = post(alice, "Hello")
    edit(alice, post_id, "casino")
    drain_stream()
    assert get_user_info(alice.user_id).is_limited
    edit(alice, post_id, "Hello again")
    assert stored(alice, post_id).flagged is None


@BOTH
def test_what_a_moderator_withholds_takes_no_edit(alice, log_in, extra):
    post_id = post(alice, "Hello")
    withhold(alice, post_id)
    browser = log_in(alice)
    page = Html(browser.get(f"/@alice/posts/{post_id}/edit", **extra))
    assert not page.all("textarea")
    assert "A moderator has to decide about this post first" in page.one("p", class_="banner").text
    response = send(browser, post_id, "Nothing to see", **extra)
    assert response.status_code == 409
    assert Html(response).value("content") == "Nothing to see"
    assert stored(alice, post_id).content == "Hello"
