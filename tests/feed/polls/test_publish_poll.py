"""A poll from the form to the item: what it may ask, and what stays as it is."""

from datetime import timedelta

import pytest
from django.http import QueryDict

from feed.cards.reads import get_post
from feed.composing.forms import PostForm
from feed.polls.writes import CLOSE_POLL
from feed.posts.models import Audience, Post
from feed.publishing.changes import CannotEdit, edit_post
from feed.publishing.writes import delete_post
from socialsite.due.models import Due
from socialsite.site_settings.word_filters import Effect
from socialsite.table import as_model, get, ids, keys, query
from tests.conftest import HTMX, post
from tests.feed.polls.polling import DRINKS, FIELDS, ask, poll_of
from tests.looks import broken_invariants
from tests.moderation.site import word_rule
from tests.web.html import Html


def publish(browser, **fields):
    return browser.post("/posts", FIELDS | {"nonce": "n" * 22} | fields)


def published(viewer) -> list[Post]:
    return [as_model(Post, raw) for raw in query(keys.posts(viewer.user_id), consistent=True)]


def planned() -> list[Due]:
    shards = range(keys.DUE_SHARDS)
    return [as_model(Due, raw) for shard in shards for raw in query(keys.due_shard(shard))]


def test_a_poll_is_published_with_its_post_and_its_end_planned(alice, log_in, drain_stream):
    publish(log_in(alice), poll_several="on", poll_options=[*DRINKS, "", "  "], poll_ends="3d")
    (stored,) = published(alice)
    poll = stored.poll
    assert (poll.texts, poll.several, poll.change, poll.early) == ([*DRINKS], True, None, None)
    lasts = poll.ends_at - ids.time_of(stored.post_id)
    assert timedelta(days=3) - timedelta(minutes=1) <= lasts <= timedelta(days=3)
    (end,) = planned()
    assert (end.kind, end.subject, end.moment) == (CLOSE_POLL, stored.post_id, poll.ends)
    drain_stream()
    assert not broken_invariants()


def test_without_answers_there_is_no_poll(alice, log_in):
    publish(log_in(alice), poll_options=["", " "], poll_several="on")
    (stored,) = published(alice)
    assert stored.poll is None
    assert planned() == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["Tea"], "at least two answers"),
        (["Tea", "ＴＥＡ "], "Two answers are the same"),
        ([f"Tea {number}" for number in range(7)], "up to 6 answers"),
        (["Tea"] * 40, "up to 6 answers"),
        (["Tea", "x" * 51], "Answer 2: Use up to 50 characters (this has 51)"),
        (["Tea", "a" + "\u0300" * 9], "Answer 2: This has too many accents"),
    ],
)
@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_what_is_no_poll_is_refused_beside_the_fields_which_keep_what_was_typed(
    alice, log_in, options, sentence, extra
):
    answer = log_in(alice).post("/posts", FIELDS | {"poll_options": options}, **extra)
    page = Html(answer)
    assert answer.status_code == 422
    errors = [error.text for error in page.all(id="id_poll_options_error")]
    assert sentence in " ".join(errors)
    fields = page.all("input", name="poll_options")
    assert len(fields) == 6
    assert [field["value"] for field in fields][: len(options)] == options[:6]
    assert "open" in page.one("details", class_="part-poll").attributes
    assert published(alice) == []


def test_a_poll_needs_a_question_and_an_end_that_is_offered(alice, log_in):
    browser = log_in(alice)
    assert publish(browser, content=" ").status_code == 422
    answer = publish(browser, poll_ends="1y")
    assert answer.status_code == 422
    assert "Choose when the poll ends." in answer.content.decode()
    assert published(alice) == []


def test_the_same_form_sent_twice_is_one_poll_and_another_answer_is_another_post(alice, log_in):
    browser = log_in(alice)
    for _ in range(2):
        publish(browser)
    assert len(published(alice)) == len(planned()) == 1
    publish(browser, poll_options=["Tea", "Milk"])
    assert len(published(alice)) == 2


def test_word_rules_judge_the_answers(alice, admin, log_in):
    word_rule(admin, "coffee", Effect.REFUSE)
    answer = publish(log_in(alice))
    assert answer.status_code == 422
    assert published(alice) == []


def test_a_post_with_a_poll_is_not_edited(alice, log_in):
    post_id = ask(alice)
    browser, address = log_in(alice), f"/@alice/posts/{post_id}/edit"
    assert "can’t be edited" in browser.get(address).content.decode()
    answer = browser.post(address, {"content": "Something else", "version": "1"})
    assert answer.status_code == 409
    assert "can’t be edited" in answer.content.decode()
    with pytest.raises(CannotEdit):
        edit_post(by=alice, post_id=post_id, content="Something else", version=1)
    assert published(alice)[0].content == "What do you drink?"


def test_deleting_the_post_takes_its_planned_end_away(alice, drain_stream):
    post_id = ask(alice)
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert planned() == []
    assert not broken_invariants()


def test_a_reply_takes_no_poll(alice, bob, log_in):
    log_in(bob).post(f"/@alice/posts/{post(alice)}/reply", FIELDS | {"nonce": "n" * 22})
    assert [one.poll for one in published(bob)] == [None]


def test_a_poll_is_for_those_whom_its_post_is_for(alice, bob, log_in):
    post_id = ask(alice, audience=Audience.ONLY_ME)
    assert log_in(bob).post(f"/@alice/posts/{post_id}/vote", {"choice": "0"}).status_code == 404
    assert poll_of(alice, post_id, alice).is_own


def test_publishing_a_poll_is_still_one_transaction(alice, requests_of):
    with requests_of() as requests:
        post_id = ask(alice)
    assert requests.operations == ["TransactWriteItems"]
    assert requests.units in ([12.0], [0.0])
    assert get(Post, keys.post(alice.user_id, post_id)).poll
    assert get_post(post_id, alice.user_id, viewer=alice).poll


def test_a_photo_is_no_question():
    sent = QueryDict(f"photo={ids.new_id()}&content=&nonce={'n' * 22}", mutable=True)
    assert "content" not in PostForm(sent).errors
    sent.setlist("poll_options", [*DRINKS])
    form = PostForm(sent)
    assert form.errors["content"] == ["Write something first."]
