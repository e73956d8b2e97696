"""One form sent from several threads at once makes one post."""

import secrets

import pytest

from accounts.people.reads import get_user_info
from feed.publishing.writes import publish_post
from socialsite.table import keys, query
from tests.together import together

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)

AT_ONCE = 5


def test_five_threads_with_one_nonce_make_one_post(alice):
    nonce = secrets.token_urlsafe(16)
    results = together(
        *[lambda: publish_post(by=alice, content="Hello", nonce=nonce)] * AT_ONCE,
    )
    (post_id,) = set(results)
    rows = list(query(keys.posts(alice.user_id), consistent=True))
    assert [row["post_id"]["S"] for row in rows] == [post_id]
    assert len(list(query(keys.timeline(alice.user_id), consistent=True))) == 1
    assert get_user_info(alice.user_id).posts == 1


def test_five_browsers_with_one_form_are_led_to_one_post(alice, log_in):
    form = {"content": "Hello", "nonce": secrets.token_urlsafe(16)}
    browsers = [log_in(alice) for _ in range(AT_ONCE)]
    answers = together(
        *(lambda browser=browser: browser.post("/posts", form) for browser in browsers)
    )
    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["Location"] for answer in answers}) == 1
    assert get_user_info(alice.user_id).posts == 1


def test_five_forms_at_once_are_five_posts_and_all_count(alice):
    results = together(
        *(
            lambda n=n: publish_post(by=alice, content=f"{n}", nonce=secrets.token_urlsafe(16))
            for n in range(AT_ONCE)
        )
    )
    rows = list(query(keys.posts(alice.user_id), consistent=True))
    assert {row["post_id"]["S"] for row in rows} == set(results)
    assert get_user_info(alice.user_id).posts == len(set(results)) == AT_ONCE
