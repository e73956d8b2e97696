"""Publishing: one post per form, seen at once by its author, refused with the text kept; stories; and deleting."""

import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.composing.forms import PostForm
from feed.likes.reads import get_like_count
from feed.posts.content_checks import RefusedByRules, words_of
from feed.profiles.reads import list_posts
from feed.publishing.forms import TextForm, WordlessForm
from feed.publishing.models import Submission
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
from socialsite.table import NotFound, change, keys, query
from tests.conftest import HTMX, post
from tests.faults.looks import posts_of, timeline_of
from tests.feed.scenes import broken
from tests.moderation.staff import word_rule
from tests.together import together
from tests.web.html import Html


def publish(browser: Client, content: str = "Good morning", nonce: str = "", **extra):
    form = {"content": content, "nonce": nonce or secrets.token_urlsafe(16)}
    return browser.post("/posts", form, **extra)


def contents(viewer) -> list[str]:
    return [raw["content"]["S"] for raw in query(keys.posts(viewer.user_id), consistent=True)]


def test_publishing_leads_to_the_new_post(alice, log_in):
    browser = log_in(alice)
    response = publish(browser)
    assert response.status_code == 302
    page = Html(browser.get(response["Location"]))
    assert page.one("div", class_="post-text").text == "Good morning"
    assert "Post published." in page.one(id="toasts").text
    assert contents(alice) == ["Good morning"]


def test_one_sees_the_own_post_at_home_without_waiting_for_the_worker(alice, log_in):
    browser = log_in(alice)
    publish(browser)
    assert len(Html(browser.get("/")).post_ids()) == 1


def test_publishing_over_htmx_answers_the_card_and_a_fresh_composer(alice, log_in):
    browser = log_in(alice)
    nonce = Html(browser.get("/")).value("nonce")
    response = publish(browser, nonce=nonce, headers=HTMX)
    page = Html(response)
    assert response.status_code == 200
    assert page.elements[0]["id"] == "composer"
    assert page.value("content") == ""
    assert page.value("nonce") not in ("", nonce)
    assert page.value("csrfmiddlewaretoken")
    assert page.one("div", hx_swap_oob="afterbegin:#feed")
    assert len(page.post_ids()) == 1


def test_a_new_post_counts_and_starts_without_likes(alice, log_in):
    browser = log_in(alice)
    for number in range(3):
        publish(browser, f"number {number}")
    assert get_user_info(alice.user_id).posts == 3
    (post_id, *_) = Html(browser.get("/@alice")).post_ids()
    assert get_post(post_id, alice.user_id).like_count == 0


def test_sending_the_same_form_twice_makes_one_post(alice, log_in):
    browser = log_in(alice)
    nonce = secrets.token_urlsafe(16)
    first, second = (publish(browser, nonce=nonce) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert publish(browser, nonce=nonce, headers=HTMX).status_code == 200
    assert contents(alice) == ["Good morning"]
    assert get_user_info(alice.user_id).posts == 1
    assert len(Html(browser.get("/")).post_ids()) == 1


def test_the_same_words_from_another_form_are_another_post(alice, log_in):
    browser = log_in(alice)
    publish(browser)
    publish(browser)
    assert contents(alice) == ["Good morning"] * 2


def test_other_words_from_a_form_that_came_back_are_not_lost(alice, log_in):
    """The back button brings the old form with its nonce; what is typed into it then is new."""
    browser = log_in(alice)
    nonce = secrets.token_urlsafe(16)
    publish(browser, "Good morning", nonce=nonce)
    response = publish(browser, "Something else entirely", nonce=nonce)
    is_kept = "Something else entirely" in contents(alice)
    is_refused = response.status_code == 422 and "entirely" in Html(response).value("content")
    assert is_kept or is_refused


def test_the_same_form_for_other_readers_is_another_post(alice):
    nonce = secrets.token_urlsafe(16)
    readers = [("", ""), ("friends", ""), ("circle", "family"), ("circle", "old friends")]
    first, again = (
        [
            publish_post(by=alice, content="Hello", nonce=nonce, audience=audience, circle=circle)
            for audience, circle in readers
        ]
        for _ in range(2)
    )
    assert len(set(first)) == len(readers)
    assert again == first


def test_the_same_nonce_of_two_people_makes_two_posts(alice, bob, log_in):
    nonce = secrets.token_urlsafe(16)
    for viewer in (alice, bob):
        publish(log_in(viewer), nonce=nonce)
    assert contents(alice) == contents(bob) == ["Good morning"]


def test_followers_see_it_when_the_worker_has_passed(alice, bob, carol, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    publish(log_in(alice))
    drain_stream()
    assert len(Html(log_in(bob).get("/")).post_ids()) == 1
    assert Html(log_in(carol).get("/")).post_ids() == []


BAD = ["", " \n ", "x" * 1001, "\x07", "\u202e\u200e", "nul \x00", "a" + "\u0300" * 9]


@pytest.mark.parametrize("content", BAD)
@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_what_cannot_be_is_said_and_the_text_stays(alice, log_in, content, extra):
    nonce = secrets.token_urlsafe(16)
    response = publish(log_in(alice), content, nonce, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert page.one(id="composer-error").text
    assert page.value("content") == content
    assert page.value("nonce") == nonce
    assert bool(page.all("html")) is not bool(extra)
    assert contents(alice) == []


@pytest.mark.parametrize("nonce", ["short", "n" * 23, "n" * 21 + "\n", "n" * 21 + "#", "é" * 22])
def test_a_form_that_this_site_did_not_make_is_refused_with_the_text_kept(alice, log_in, nonce):
    response = publish(log_in(alice), nonce=nonce)
    assert response.status_code == 422
    assert Html(response).value("content") == "Good morning"
    assert contents(alice) == []


def test_as_much_as_allowed_is_fine(alice, log_in):
    assert publish(log_in(alice), "é" * 1000).status_code == 302


def test_one_publishes_as_oneself_whatever_the_form_says(alice, bob, log_in):
    form = {"content": "x", "nonce": "n" * 22, "author_id": bob.user_id, "by": bob.user_id}
    log_in(alice).post("/posts", form)
    assert contents(bob) == []
    assert contents(alice) == ["x"]


def test_the_composer_has_a_page_of_its_own(alice, log_in):
    page = Html(log_in(alice).get("/posts/new"))
    assert page.one("form", id="composer", action="/posts")["method"] == "post"
    assert page.value("nonce") != Html(log_in(alice).get("/posts/new")).value("nonce")


# One form sent from several threads at once makes one post.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)

AT_ONCE = 5


@not_on_moto
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


@not_on_moto
def test_five_browsers_with_one_form_are_led_to_one_post(alice, log_in):
    form = {"content": "Hello", "nonce": secrets.token_urlsafe(16)}
    browsers = [log_in(alice) for _ in range(AT_ONCE)]
    answers = together(
        *(lambda browser=browser: browser.post("/posts", form) for browser in browsers)
    )
    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["Location"] for answer in answers}) == 1
    assert get_user_info(alice.user_id).posts == 1


@not_on_moto
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


# A form sent again long after, or after its post was deleted, is never answered with "not found".


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


# A post that carries something else needs no words; every other post does.

NONCE = "n" * 22


class CarryingForm(WordlessForm, TextForm):
    """A part of the composer that says something without words."""

    def carries(self, values: Mapping[str, Any]) -> bool:
        return True


def test_a_post_that_carries_nothing_needs_words():
    form = PostForm({"content": " ", "nonce": NONCE})
    assert form.errors == {"content": ["Write something first."]}


def test_a_post_that_carries_something_needs_none():
    form = CarryingForm({"content": " ", "nonce": NONCE})
    assert form.is_valid()
    assert form.cleaned_data["content"] == ""


def test_a_text_that_is_refused_is_refused_once():
    form = PostForm({"content": "x" * 1001, "nonce": NONCE})
    assert len(form.errors["content"]) == 1
    assert "up to 1000" in form.errors["content"][0]


def test_word_filters_meet_all_texts_of_a_post():
    assert words_of("", "", "a description") == "a description"
    assert words_of("text", "warning", "one", "two") == "warning\ntext\none\ntwo"


# A story: several posts that are written in one go, published together, in order and once.

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
TEXTS = ["Once upon a time", "there was a table", "and it had one partition key"]


def publish_story(author, texts=TEXTS, nonce="n", **more) -> str:
    first, *others = texts
    parts = [Part(text) for text in others]
    return publish_post(by=author, content=first, nonce=nonce, parts=parts, **more)


def story_form(texts, nonce: str = "", **more) -> dict[str, str]:
    first, *others = texts
    further = {f"{number}-content": text for number, text in enumerate(others, 2)}
    return {"content": first, "nonce": nonce or secrets.token_urlsafe(16), **further, **more}


def said(response) -> list[str]:
    return [one.text for one in Html(response).all("div", class_="post-text")]


def errors(page: Html) -> dict[str, str]:
    return {one["id"]: one.text for one in page.all("div", class_="composer-error")}


@BOTH
def test_it_is_read_in_its_order_and_counted(alice, bob, log_in, drain_stream, extra):
    log_in(alice).post("/posts", story_form(TEXTS), **extra)
    drain_stream()
    root = posts_of(alice)[-1]
    assert said(log_in(bob).get(f"/@alice/posts/{root}")) == TEXTS
    assert get_user_info(alice.user_id).posts == 3
    assert get_post(root, alice.user_id).reply_count == 1
    assert not broken()


def test_followers_get_it_once_and_the_author_no_notification(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = publish_story(alice)
    drain_stream()
    assert timeline_of(bob) == timeline_of(alice) == [first]
    assert len(posts_of(alice)) == 3
    assert [one for one in list_notifications(alice).items if one.kind == "r"] == []


def test_the_same_form_is_the_same_story_and_another_text_another_one(alice):
    first = publish_story(alice)
    assert publish_story(alice) == first
    assert len(posts_of(alice)) == 3
    assert publish_story(alice, [*TEXTS[:2], "and it had none"]) != first
    assert publish_story(alice, [TEXTS[0], "\n".join(TEXTS[1:])]) != first


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto is no engine for threads")
def test_sent_twice_at_once_it_is_one_story(alice):
    with ThreadPoolExecutor(4) as pool:
        found = {*pool.map(lambda _: publish_story(alice), range(4))}
    assert len(found) == 1
    assert len(posts_of(alice)) == 3
    assert not broken()


def test_a_story_that_was_deleted_does_not_come_back(alice):
    delete_post(by=alice, post_id=publish_story(alice))
    with pytest.raises(SubmittedAndDeleted):
        publish_story(alice)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_ten_posts_are_one_transaction_and_cost_as_written(alice, requests_of):
    with requests_of() as made:
        publish_story(alice, [f"Number {number}" for number in range(MOST_POSTS)])
    (write,) = [one for one in made.made if one.operation == "TransactWriteItems"]
    assert len(write.parameters["TransactItems"]) == 5 + 3 * 9 <= 100
    assert write.units == 10 + 6 * 9
    assert len(posts_of(alice)) == MOST_POSTS


def test_readers_are_those_of_the_first_post(alice, bob, carol, log_in):
    follow(by=bob, user_id=alice.user_id)
    root = publish_story(alice, audience="followers")
    assert said(log_in(bob).get(f"/@alice/posts/{root}")) == TEXTS
    for post_id in posts_of(alice):
        assert log_in(carol).get(f"/@alice/posts/{post_id}").status_code == 404


@BOTH
def test_one_refused_post_refuses_all_with_a_message_beside_it(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    for texts, number in ((["One", "Cheap pills", "Three"], 2), (["One", "Two", "x" * 1001], 3)):
        response = log_in(alice).post("/posts", story_form(texts), **extra)
        page = Html(response)
        assert response.status_code == 422
        assert [*errors(page)] == [f"id_{number}-error"]
        assert "autofocus" in page.one(id=f"id_{number}-error").attributes
        assert [page.value("content"), page.value("2-content"), page.value("3-content")] == texts
    assert posts_of(alice) == []
    with pytest.raises(PartRefused):
        publish_story(alice, ["One", "Two", "cheap pills"])


def test_the_first_post_is_refused_as_ever(admin, alice, log_in):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    page = Html(log_in(alice).post("/posts", story_form(["Cheap pills", "Two"])))
    assert [*errors(page)] == ["composer-error"]
    with pytest.raises(RefusedByRules):
        publish_story(alice, ["Cheap pills", "Two"])


def test_a_post_that_is_held_holds_the_whole_story(admin, alice, bob, log_in):
    word_rule(admin, "spoiler", Effect.HOLD)
    response = log_in(alice).post("/posts", story_form(["One", "A spoiler", "Three"]), follow=True)
    assert "A moderator will review your post." in response.content.decode()
    assert list_posts(alice.card, viewer=bob).items == []
    assert len(posts_of(alice)) == 3
    assert get_user_info(alice.user_id).posts == 0


@BOTH
def test_add_another_post_redraws_what_was_typed_and_publishes_nothing(alice, log_in, extra):
    browser = log_in(alice)
    sent = story_form(["", "Two"], warning="Film", add="1") | {"2-warning": "Book"}
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
    page = Html(log_in(alice).post("/posts", story_form(texts, add="1")))
    assert page.value(f"{MOST_POSTS}-content") == texts[-1]
    assert not page.all("textarea", name=f"{MOST_POSTS + 1}-content")
    log_in(alice).post("/posts", story_form([*texts, "one too many"]))
    assert len(posts_of(alice)) == MOST_POSTS


def test_a_post_left_empty_is_none_and_one_with_a_warning_alone_is_refused(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/posts", story_form(["One", " ", "Three"])).status_code == 302
    assert len(posts_of(alice)) == 2
    page = Html(browser.post("/posts", story_form(["One", ""]) | {"2-warning": "Film"}))
    assert errors(page) == {"id_2-error": "Write something first."}


def test_a_form_has_room_for_ten_posts_with_all_their_fields_and_not_for_any_number(alice, log_in):
    browser = log_in(alice)
    fields = {f"field-{number}": "x" for number in range(500)}
    assert browser.post("/posts", story_form(["One"]) | fields).status_code == 302
    assert (
        browser.post(
            "/posts", story_form(["One"]) | fields | {f"f{n}": "" for n in range(30)}
        ).status_code
        == 400
    )


# Deleting a post: one's own only, at once for everyone, and harmless to repeat.


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
