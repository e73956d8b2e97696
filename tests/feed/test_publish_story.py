"""A story: several posts that are written in one go, published together, in order and once."""

import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.posts.content_checks import RefusedByRules
from feed.profiles.reads import list_posts
from feed.publishing.writes import (
    MOST_POSTS,
    Part,
    PartRefused,
    SubmittedAndDeleted,
    delete_post,
    publish_post,
)
from notifications.reads import list_notifications
from relations.follows.writes import follow
from socialsite.site_settings.word_filters import Effect
from tests.conftest import HTMX
from tests.faults.looks import posts_of, timeline_of
from tests.feed.editing.edits import broken
from tests.moderation.site import word_rule
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
TEXTS = ["Once upon a time", "there was a table", "and it had one partition key"]


def publish(author, texts=TEXTS, nonce="n", **more) -> str:
    first, *others = texts
    parts = [Part(text) for text in others]
    return publish_post(by=author, content=first, nonce=nonce, parts=parts, **more)


def form(texts, nonce: str = "", **more) -> dict[str, str]:
    first, *others = texts
    further = {f"{number}-content": text for number, text in enumerate(others, 2)}
    return {"content": first, "nonce": nonce or secrets.token_urlsafe(16), **further, **more}


def said(response) -> list[str]:
    return [one.text for one in Html(response).all("div", class_="post-text")]


def errors(page: Html) -> dict[str, str]:
    return {one["id"]: one.text for one in page.all("div", class_="composer-error")}


@BOTH
def test_it_is_read_in_its_order_and_counted(alice, bob, log_in, drain_stream, extra):
    log_in(alice).post("/posts", form(TEXTS), **extra)
    drain_stream()
    root = posts_of(alice)[-1]
    assert said(log_in(bob).get(f"/@alice/posts/{root}")) == TEXTS
    assert get_user_info(alice.user_id).posts == 3
    assert get_post(root, alice.user_id).reply_count == 1
    assert not broken()


def test_followers_get_it_once_and_the_author_no_notification(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = publish(alice)
    drain_stream()
    assert timeline_of(bob) == timeline_of(alice) == [first]
    assert len(posts_of(alice)) == 3
    assert [one for one in list_notifications(alice).items if one.kind == "r"] == []


def test_the_same_form_is_the_same_story_and_another_text_another_one(alice):
    first = publish(alice)
    assert publish(alice) == first
    assert len(posts_of(alice)) == 3
    assert publish(alice, [*TEXTS[:2], "and it had none"]) != first
    assert publish(alice, [TEXTS[0], "\n".join(TEXTS[1:])]) != first


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto is no engine for threads")
def test_sent_twice_at_once_it_is_one_story(alice):
    with ThreadPoolExecutor(4) as pool:
        found = {*pool.map(lambda _: publish(alice), range(4))}
    assert len(found) == 1
    assert len(posts_of(alice)) == 3
    assert not broken()


def test_a_story_that_was_deleted_does_not_come_back(alice):
    delete_post(by=alice, post_id=publish(alice))
    with pytest.raises(SubmittedAndDeleted):
        publish(alice)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_ten_posts_are_one_transaction_and_cost_as_written(alice, requests_of):
    with requests_of() as made:
        publish(alice, [f"Number {number}" for number in range(MOST_POSTS)])
    (write,) = [one for one in made.made if one.operation == "TransactWriteItems"]
    assert len(write.parameters["TransactItems"]) == 5 + 3 * 9 <= 100
    assert write.units == 10 + 6 * 9
    assert len(posts_of(alice)) == MOST_POSTS


def test_readers_are_those_of_the_first_post(alice, bob, carol, log_in):
    follow(by=bob, user_id=alice.user_id)
    root = publish(alice, audience="followers")
    assert said(log_in(bob).get(f"/@alice/posts/{root}")) == TEXTS
    for post_id in posts_of(alice):
        assert log_in(carol).get(f"/@alice/posts/{post_id}").status_code == 404


@BOTH
def test_one_refused_post_refuses_all_with_a_message_beside_it(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    for texts, number in ((["One", "Cheap pills", "Three"], 2), (["One", "Two", "x" * 1001], 3)):
        response = log_in(alice).post("/posts", form(texts), **extra)
        page = Html(response)
        assert response.status_code == 422
        assert [*errors(page)] == [f"id_{number}-error"]
        assert "autofocus" in page.one(id=f"id_{number}-error").attributes
        assert [page.value("content"), page.value("2-content"), page.value("3-content")] == texts
    assert posts_of(alice) == []
    with pytest.raises(PartRefused):
        publish(alice, ["One", "Two", "cheap pills"])


def test_the_first_post_is_refused_as_ever(admin, alice, log_in):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    page = Html(log_in(alice).post("/posts", form(["Cheap pills", "Two"])))
    assert [*errors(page)] == ["composer-error"]
    with pytest.raises(RefusedByRules):
        publish(alice, ["Cheap pills", "Two"])


def test_a_post_that_is_held_holds_the_whole_story(admin, alice, bob, log_in):
    word_rule(admin, "spoiler", Effect.HOLD)
    response = log_in(alice).post("/posts", form(["One", "A spoiler", "Three"]), follow=True)
    assert "A moderator will review your post." in response.content.decode()
    assert list_posts(alice.card, viewer=bob).items == []
    assert len(posts_of(alice)) == 3
    assert get_user_info(alice.user_id).posts == 0


@BOTH
def test_add_another_post_redraws_what_was_typed_and_publishes_nothing(alice, log_in, extra):
    browser = log_in(alice)
    sent = form(["", "Two"], warning="Film", add="1") | {"2-warning": "Book"}
    response = browser.post("/posts", sent, **extra)
    page = Html(response)
    assert response.status_code == 200
    assert errors(page) == {}
    assert (page.value("2-content"), page.value("2-warning")) == ("Two", "Book")
    assert (page.value("warning"), page.value("3-content")) == ("Film", "")
    assert page.one("button", name="add")["value"] == "1"
    assert posts_of(alice) == []


def test_there_are_at_most_ten(alice, log_in):
    texts = [f"Number {number}" for number in range(MOST_POSTS)]
    page = Html(log_in(alice).post("/posts", form(texts, add="1")))
    assert page.value(f"{MOST_POSTS}-content") == texts[-1]
    assert not page.all("textarea", name=f"{MOST_POSTS + 1}-content")
    log_in(alice).post("/posts", form([*texts, "one too many"]))
    assert len(posts_of(alice)) == MOST_POSTS


def test_a_post_left_empty_is_none_and_one_with_a_warning_alone_is_refused(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/posts", form(["One", " ", "Three"])).status_code == 302
    assert len(posts_of(alice)) == 2
    page = Html(browser.post("/posts", form(["One", ""]) | {"2-warning": "Film"}))
    assert errors(page) == {"id_2-error": "Write something first."}


def test_a_form_has_room_for_ten_posts_with_all_their_fields_and_not_for_any_number(alice, log_in):
    browser = log_in(alice)
    fields = {f"field-{number}": "x" for number in range(500)}
    assert browser.post("/posts", form(["One"]) | fields).status_code == 302
    assert (
        browser.post(
            "/posts", form(["One"]) | fields | {f"f{n}": "" for n in range(30)}
        ).status_code
        == 400
    )
