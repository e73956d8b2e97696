"""Deleting a post: one's own only, at once for everyone, and harmless to repeat."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.likes.reads import get_like_count
from relations.follows.writes import follow
from socialsite.table import NotFound
from tests.conftest import HTMX, post
from tests.web.html import Html


def address(handle: str, post_id: str) -> str:
    return f"/@{handle}/posts/{post_id}/delete"


def test_the_page_asks_first_and_deletes_nothing(alice, log_in):
    post_id = post(alice)
    page = Html(log_in(alice).get(address("alice", post_id)))
    form = page.one("form", action=address("alice", post_id))
    assert form["method"] == "post"
    assert "hx-post" not in form.attributes
    assert get_post(post_id, alice.user_id)


def test_the_question_over_htmx_is_a_fragment_for_the_dialog(alice, log_in):
    post_id = post(alice)
    page = Html(log_in(alice).get(address("alice", post_id), headers=HTMX))
    assert not page.all("html")
    assert page.one("form")["hx-target"] == f"#post-{post_id}"


def test_deleting_takes_the_post_and_counts_it_off(alice, log_in):
    kept, post_id = post(alice), post(alice)
    browser = log_in(alice)
    response = browser.post(address("alice", post_id))
    assert (response.status_code, response["Location"]) == (302, "/@alice")
    assert "Post deleted." in Html(browser.get("/@alice")).one(id="toasts").text
    assert browser.get(f"/@alice/posts/{post_id}").status_code == 404
    assert Html(browser.get("/@alice")).post_ids() == [kept]
    assert get_user_info(alice.user_id).posts == 1
    with pytest.raises(NotFound):
        get_like_count(post_id)


def test_deleting_over_htmx_answers_what_stands_in_its_place(alice, log_in):
    post_id = post(alice)
    response = log_in(alice).post(address("alice", post_id), headers=HTMX)
    assert response.status_code == 200
    assert Html(response).elements[0]["id"] == f"post-{post_id}"
    assert not Html(response).all("article")


@pytest.mark.parametrize(("extra", "status"), [({}, 302), ({"headers": HTMX}, 200)])
def test_deleting_twice_is_harmless(alice, log_in, extra, status):
    post(alice)
    post_id = post(alice)
    browser = log_in(alice)
    answers = [browser.post(address("alice", post_id), **extra) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [status] * 2
    assert get_user_info(alice.user_id).posts == 1


def test_somebody_elses_post_is_not_found_here(alice, bob, log_in):
    post_id = post(alice)
    browser = log_in(bob)
    for handle in ("alice", "bob"):
        assert browser.get(address(handle, post_id)).status_code == 404
    assert browser.post(address("alice", post_id)).status_code == 404
    assert browser.post(address("alice", post_id), headers=HTMX).status_code == 404
    browser.post(address("bob", post_id))
    assert get_post(post_id, alice.user_id)
    assert get_user_info(alice.user_id).posts == 1
    assert get_user_info(bob.user_id).posts == 0


def test_not_even_a_moderator_deletes_by_this_address(alice, mod, log_in):
    post_id = post(alice)
    assert log_in(mod).post(address("alice", post_id)).status_code == 404
    assert get_post(post_id, alice.user_id)


def test_a_deleted_post_leaves_every_page_before_the_worker_has_run(
    alice, bob, log_in, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    drain_stream()
    reader, visitor = log_in(bob), Client()
    pages = [
        (reader, "/"),
        (reader, "/local"),
        (visitor, "/local"),
        (visitor, "/"),
        (reader, "/@alice"),
    ]
    for browser, path in pages:
        assert Html(browser.get(path)).post_ids() == [post_id], path
    log_in(alice).post(address("alice", post_id))
    for browser, path in pages:
        assert Html(browser.get(path)).post_ids() == [], path
    for path in ("", "/likers", "/like"):
        answer = reader.post if path == "/like" else reader.get
        assert answer(f"/@alice/posts/{post_id}{path}", {"on": "1"}).status_code == 404


def test_only_the_author_is_offered_to_delete(alice, bob, log_in):
    post_id = post(alice)

    def offers(browser: Client) -> int:
        return len(Html(browser.get("/@alice")).all("a", href=address("alice", post_id)))

    assert (offers(log_in(alice)), offers(log_in(bob)), offers(Client())) == (1, 0, 0)
