"""Apps quote posts, read who quotes one, and take theirs out of a quote: with the rules of the pages."""

import pytest

from api.pages import status_id
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from relations.blocks.writes import block
from socialsite.table import ids
from tests.conftest import post


def quoted_by(app, viewer, name, **sent):
    return app(viewer).ask(
        "post", "/api/v1/statuses", status="Look at this", quoted_status_id=name, **sent
    )


def test_a_quote_shows_the_post_and_is_told_and_listed(alice, bob, app, mastodon, drain_stream):
    name = status_id(post(alice, "A thought"), alice.user_id)
    made = mastodon(bob).status_post("Look at this", quoted_status_id=name)
    assert made.quote.state == "accepted"
    assert made.quote.quoted_status.id == name
    assert f"/@alice/posts/{name[:26]}" in made.content  # for apps that show no quotes
    drain_stream()
    hers = app(alice)
    listed = hers.get(f"/api/v1/statuses/{name}/quotes")
    assert [one["id"] for one in listed] == [made.id]
    assert hers.get(f"/api/v1/statuses/{name}")["quotes_count"] == 1
    (told,) = hers.get("/api/v1/notifications")
    assert (told["type"], told["status"]["id"]) == ("mention", made.id)


def test_the_same_key_is_the_same_quote(alice, bob, app):
    name = status_id(post(alice), alice.user_id)
    his, headers = app(bob), {"Idempotency-Key": "once"}
    sent = {"status": "Look at this", "quoted_status_id": name, "headers": headers}
    made = [his.ask("post", "/api/v1/statuses", **sent).json()["id"] for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "sent",
    [
        {"visibility": "private"},
        {"audience": "friends"},
        {"scheduled_at": "2099-01-01T00:00:00Z"},
        {"expires_in": "hour"},
        {"quote_approval_policy": "nobody"},
        {"quoted_status_id[]": "2"},
    ],
)
def test_what_a_quote_cannot_be_is_refused_rather_than_left_out(alice, bob, app, sent):
    name = status_id(post(alice), alice.user_id)
    answer = quoted_by(app, bob, name, **sent)
    assert answer.status_code == 422
    assert app(bob).get(f"/api/v1/accounts/{bob.user_id}/statuses") == []


def test_an_answer_that_quotes_is_refused(alice, bob, app):
    name = status_id(post(alice), alice.user_id)
    assert quoted_by(app, bob, name, in_reply_to_id=name).status_code == 422


def test_posts_for_fewer_and_of_those_who_block_one_are_not_quoted(alice, bob, app):
    nonce = ids.new_id()
    closed = publish_post(by=bob, content="Mine", nonce=nonce, audience=Audience.FOLLOWERS)
    assert quoted_by(app, bob, status_id(closed, bob.user_id)).status_code == 422
    name = status_id(post(alice), alice.user_id)
    block(by=alice, user_id=bob.user_id)
    assert quoted_by(app, bob, name).status_code == 404
    assert quoted_by(app, bob, "nonsense").status_code == 404


def test_an_author_takes_a_post_out_of_a_quote_for_good(alice, bob, app, drain_stream):
    name = status_id(post(alice), alice.user_id)
    made = quoted_by(app, bob, name).json()["id"]
    drain_stream()
    hers, his = app(alice), app(bob)
    address = f"/api/v1/statuses/{name}/quotes/{made}/revoke"
    assert his.ask("post", address).status_code == 404
    assert hers.post(address)["quote"] == {"state": "revoked", "quoted_status": None}
    assert his.get(f"/api/v1/statuses/{made}")["quote"]["state"] == "revoked"
    assert quoted_by(app, bob, name).status_code == 422


def put(caller, path, **sent):
    return caller.browser.put(path, sent, content_type="application/json", headers=caller.headers)


def test_an_author_lets_nobody_quote_a_post(alice, bob, app):
    name = status_id(post(alice), alice.user_id)
    hers = app(alice)
    path = f"/api/v1/statuses/{name}/interaction_policy"
    assert put(app(bob), path, quote_approval_policy="nobody").status_code == 404
    assert put(hers, path, quote_approval_policy="followers").status_code == 422
    assert put(hers, path, quote_approval_policy="nobody").json()["quote_approval"] == {
        "automatic": [],
        "manual": [],
        "current_user": "automatic",  # authors quote themselves
    }
    assert app(bob).get(f"/api/v1/statuses/{name}")["quote_approval"]["current_user"] == "denied"
    assert quoted_by(app, bob, name).status_code == 422


def test_a_quote_of_a_quote_names_no_third_post(alice, bob, carol, app):
    name = status_id(post(alice), alice.user_id)
    second = quoted_by(app, bob, name).json()["id"]
    shown = quoted_by(app, carol, second).json()["quote"]["quoted_status"]
    assert shown["id"] == second
    assert shown["quote"]["quoted_status_id"] is None
    assert alice.user_id not in str(shown["quote"])


def test_the_quote_of_a_post_that_is_gone_says_so(alice, bob, app):
    post_id = post(alice)
    made = quoted_by(app, bob, status_id(post_id, alice.user_id)).json()["id"]
    delete_post(by=alice, post_id=post_id)
    shown = app(bob).get(f"/api/v1/statuses/{made}")
    assert shown["quote"] == {"state": "unauthorized", "quoted_status": None}
    assert "quote-inline" not in shown["content"]
