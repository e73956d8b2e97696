"""A form sent again long after, or after its post was deleted, is never answered with "not found"."""

import secrets
from datetime import UTC, datetime, timedelta

import pytest

from feed.publishing.models import Submission
from socialsite.table import change, keys, query
from tests.conftest import HTMX


@pytest.fixture
def form() -> dict[str, str]:
    return {"content": "Hello", "nonce": secrets.token_urlsafe(16)}


def test_a_form_whose_first_sending_has_run_out_is_not_lost(alice, log_in, form):
    """The note of the first sending is past its `ttl`, which DynamoDB deletes only days later."""
    browser = log_in(alice)
    browser.post("/posts", form)
    (note,) = query(f"{keys.user(alice.user_id)}#submission")
    past = datetime.now(UTC) - timedelta(hours=1)
    key = keys.Key(note["PK"]["S"], note["SK"]["S"])
    change(Submission, key, [Submission.ttl.set(past)])
    assert browser.post("/posts", form).status_code in (302, 422)


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_form_sent_again_after_its_post_was_deleted_is_no_dead_end(alice, log_in, form, extra):
    browser = log_in(alice)
    browser.post(browser.post("/posts", form)["Location"] + "/delete")
    response = browser.post("/posts", form, follow=True, **extra)
    assert response.status_code in (200, 422)
