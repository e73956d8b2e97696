"""Editing a post: one's own only, at once for everyone, and nothing typed is ever lost."""

from dataclasses import replace

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from feed.posts.models import Post, Replies
from feed.publishing import views
from feed.publishing.changes import edit_post
from feed.publishing.reads import MOST_VERSIONS
from feed.publishing.writes import delete_post, publish_post
from feed.threads.reads import CannotReply
from socialsite.table import NotFound, change, keys
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.feed.editing.edits import broken, edit, said, send, stored
from tests.moderation.restricting import restrict
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def texts(browser: Client, path: str) -> list[str]:
    return [one.text for one in Html(browser.get(path)).all("div", class_="post-text")]


@BOTH
def test_the_form_shows_the_present_text_and_changes_nothing(alice, log_in, extra):
    post_id = post(alice, "As it *was*\n\nwith lines")
    page = Html(log_in(alice).get(f"/@alice/posts/{post_id}/edit", **extra))
    assert page.value("content") == "As it *was*\n\nwith lines"
    assert page.value("version") == "1"
    form = page.one("form", class_="edit")
    assert (form["method"], form["action"]) == ("post", f"/@alice/posts/{post_id}/edit")
    assert ("hx-post" in form.attributes) == bool(extra)
    assert stored(alice, post_id).version is None


def test_an_edit_leads_back_to_the_post_and_shows_everywhere_at_once(alice, bob, log_in):
    post_id = post(alice, "Frist")
    browser = log_in(alice)
    response = send(browser, post_id, "First")
    assert response["Location"] == f"/@alice/posts/{post_id}#post-{post_id}"
    page = Html(browser.get(f"/@alice/posts/{post_id}"))
    assert "Your changes are saved." in page.one(id="toasts").text
    for path in ("/@alice", f"/@alice/posts/{post_id}"):
        assert texts(log_in(bob), path) == ["First"]
    assert get_user_info(alice.user_id).posts == 1


@pytest.mark.parametrize("drawn", ["", "detail", "joined"])
def test_over_htmx_the_card_takes_its_place_again_as_it_was_drawn(alice, log_in, drawn):
    post_id = post(alice)
    headers = HTMX | {"HX-Current-URL": "http://testserver/local"}
    response = log_in(alice).post(
        f"/@alice/posts/{post_id}/edit?drawn={drawn}",
        {"content": "Better", "version": "1"},
        headers=headers,
    )
    page = Html(response)
    assert page.post_ids() == [post_id]
    assert ("post-detail" in page.one("article")["class"]) == (drawn == "detail")
    assert page.one("button", formaction=f"/@alice/posts/{post_id}/save?next=%2Flocal")
    assert not page.all(id=f"reply-{post_id}")  # its slot is on the page already
    assert "HX-Retarget" not in response


def test_the_card_says_that_it_was_edited_and_when(alice, bob, log_in):
    kept, post_id = post(alice), post(alice)
    edit(alice, post_id, "Better")
    for path in ("/@alice", f"/@alice/posts/{post_id}"):
        (link,) = Html(log_in(bob).get(path)).all("a", class_="post-edited")
        assert link["href"] == f"/@alice/posts/{post_id}/history"
        assert link["title"]
    assert not Html(log_in(bob).get(f"/@alice/posts/{kept}")).all("a", class_="post-edited")


def test_a_reply_is_edited_in_its_thread_too(alice, bob, log_in):
    root = post(bob)
    reply_id = answer(alice, bob, root, "Teh reply")
    edit(alice, reply_id, "The reply")
    assert "The reply" in texts(log_in(bob), f"/@bob/posts/{root}")
    page = Html(log_in(bob).get(f"/@bob/posts/{root}"))
    assert [one["href"] for one in page.all("a", class_="post-edited")] == [
        f"/@alice/posts/{reply_id}/history"
    ]
    assert not broken()


@BOTH
def test_the_same_text_again_writes_nothing(alice, log_in, extra):
    post_id = post(alice, "Hello")
    browser = log_in(alice)
    assert send(browser, post_id, "  Hello ", **extra).status_code in (200, 302)
    assert stored(alice, post_id).version is None
    for _ in range(2):  # sent twice
        assert send(browser, post_id, "Hello!", **extra).status_code in (200, 302)
    assert stored(alice, post_id).version == 2
    assert not broken()


@BOTH
@pytest.mark.parametrize(
    ("content", "sentence"),
    [("  ", "Write something first."), ("x" * 1001, "Use up to 1000 characters (this has 1001).")],
    ids=["empty", "long"],
)
def test_what_could_not_be_published_is_refused_and_kept(alice, log_in, extra, content, sentence):
    post_id = post(alice, "Hello")
    response = send(log_in(alice), post_id, content, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert said(page) == sentence
    assert page.value("content") == content
    assert stored(alice, post_id).content == "Hello"


@pytest.mark.parametrize("version", ["", "0", "-1", "x", "9" * 400])
def test_a_form_without_the_version_it_showed_has_expired(alice, log_in, version):
    post_id = post(alice, "Hello")
    response = send(log_in(alice), post_id, "Mine", version)
    if version == "9" * 400:  # a number, but of no version that there is
        assert response.status_code in (409, 422)
    else:
        assert response.status_code == 422
        assert "This form has expired" in Html(response).one("main").text
    assert Html(response).value("content") == "Mine"
    assert stored(alice, post_id).content == "Hello"


@BOTH
def test_the_second_of_two_edits_is_shown_both_texts(alice, log_in, extra):
    post_id = post(alice, "Hello")
    edit(alice, post_id, "Hello from the phone")
    browser = log_in(alice)
    response = send(browser, post_id, "Hello from the desk", **extra)
    page = Html(response)
    assert response.status_code == 409
    assert page.one("blockquote").text == "Hello from the phone"
    assert page.value("content") == "Hello from the desk"
    assert "Compare both texts" in said(page)
    assert stored(alice, post_id).content == "Hello from the phone"
    if extra:
        assert response["HX-Retarget"] == "#modal"
    send(browser, post_id, "Hello from both", page.value("version"), **extra)
    assert stored(alice, post_id).content == "Hello from both"
    assert not broken()


def test_somebody_elses_post_is_not_found_here(alice, bob, log_in):
    post_id = post(alice, "Hello")
    browser = log_in(bob)
    for handle in ("alice", "bob"):
        address = f"/@{handle}/posts/{post_id}/edit"
        for extra in ({}, {"headers": HTMX}):
            assert browser.get(address, **extra).status_code == 404
            sent = browser.post(address, {"content": "Mine", "version": "1"}, **extra)
            assert sent.status_code == 404
    with pytest.raises(NotFound):
        edit(bob, post_id, "Mine", 1)
    assert stored(alice, post_id).content == "Hello"


def test_not_even_a_moderator_edits(alice, mod, log_in):
    assert send(log_in(mod), post(alice), "Better").status_code == 404


def test_a_deleted_post_takes_no_edit(alice, log_in):
    post_id = post(alice)
    delete_post(by=alice, post_id=post_id)
    assert send(log_in(alice), post_id, "Back").status_code == 404


def test_only_the_author_is_offered_to_edit(alice, bob, log_in):
    post_id = post(alice)

    def offers(browser: Client) -> int:
        return len(Html(browser.get("/@alice")).all("a", href=f"/@alice/posts/{post_id}/edit"))

    assert (offers(log_in(alice)), offers(log_in(bob)), offers(Client())) == (1, 0, 0)


def test_a_person_who_may_not_write_may_not_edit(alice, log_in):
    post_id = post(alice, "Hello")
    restrict(alice, Restriction.FROZEN)
    browser = log_in(alice)
    assert not Html(browser.get(f"/@alice/posts/{post_id}/edit")).all("textarea")
    assert send(browser, post_id, "Better").status_code == 403
    assert stored(alice, post_id).content == "Hello"


def test_edits_count_towards_the_limit_of_posts(alice, log_in, monkeypatch):
    monkeypatch.setattr(views, "POSTS", replace(views.POSTS, hits=1))
    post_id = post(alice)
    browser = log_in(alice)
    assert send(browser, post_id, "One").status_code == 302
    assert send(browser, post_id, "Two", 2).status_code == 429


@BOTH
def test_a_post_has_a_last_version(alice, log_in, extra):
    post_id = post(alice, "Hello")
    key = keys.post(alice.user_id, post_id)
    change(Post, key, [Post.version.set(MOST_VERSIONS)])
    response = send(log_in(alice), post_id, "Once more", MOST_VERSIONS, **extra)
    assert response.status_code == 409
    assert "You’ve edited this post 49 times" in said(Html(response))
    assert Html(response).value("content") == "Once more"


def test_mentions_are_those_of_the_new_text(alice, bob, carol, log_in):
    post_id = post(alice, "With @bob")
    edit(alice, post_id, "With @carol and @nobody_here")
    assert stored(alice, post_id).mentions.as_dict() == {"carol": carol.user_id}
    page = Html(log_in(bob).get(f"/@alice/posts/{post_id}"))
    assert page.all("a", href=f"/@carol?id={carol.user_id}")
    assert "/@nobody_here" not in str(page.all("a"))
    edit(alice, post_id, "Alone")
    assert stored(alice, post_id).mentions is None


def test_people_who_are_mentioned_no_more_cannot_answer(alice, bob):
    root = publish_post(by=alice, content="@bob?", nonce="n", replies=Replies.MENTIONED)
    edit(alice, root, "Everyone?")
    with pytest.raises(CannotReply):
        answer(bob, alice, root)
    edit(alice, root, "@bob?")
    assert answer(bob, alice, root)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_an_edit_takes_one_read_and_one_transaction(alice, bob, measure):
    post_id, reply_id = post(alice), answer(alice, bob, post(bob))
    for edited, units in ((post_id, 4), (reply_id, 6)):
        with measure() as meter:
            edit_post(by=alice, post_id=edited, content="Better", version=1)
        assert [call.operation for call in meter.calls] == ["GetItem", "TransactWriteItems"]
        assert sum(call.units for call in meter.calls if not call.is_read) == units
