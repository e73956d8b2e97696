"""The pages of messages without a script: everything by forms and links."""

import pytest
from django.test import Client

from chats.models import KEEP_DAYS
from chats.reads import get_chat
from socialsite.table import ids
from tests.chats.scenes import accept, knows, seen_by, texts, write
from tests.conftest import HTMX
from tests.web.html import Html


@pytest.fixture
def member(alice, log_in) -> Client:
    return log_in(alice)


@pytest.fixture
def known(alice, bob) -> None:
    """Both may write to each other without asking."""
    knows(alice, bob)
    knows(bob, alice)


def fields(page: Html) -> dict[str, str]:
    """What the form of a conversation sends beside the words."""
    names = ("nonce", "to", "answers")
    inputs = {one.attributes.get("name"): one for one in page.all("input")}
    return {name: inputs[name].attributes.get("value", "") for name in names}


def said_on(page: Html) -> list[str]:
    return [one.text for one in page.all("div", class_="message-text")]


def test_a_form_sends_and_leads_back_to_the_end(alice, bob, known, member):
    form = fields(Html(member.get("/messages/@bob"))) | {"content": "Tea?"}
    answer = member.post("/messages/@bob", form)
    assert answer.status_code == 302
    assert answer["Location"] == "/messages/@bob?sent#newest"
    assert said_on(Html(member.get("/messages/@bob?sent"))) == ["Tea?"]
    assert texts(bob, alice) == ["Tea?"]
    assert member.post("/messages/@bob", form).status_code == 302  # pressed twice
    assert texts(bob, alice) == ["Tea?"]


def test_what_cannot_be_sent_comes_back_in_the_form(bob, known, member):
    form = fields(Html(member.get("/messages/@bob")))
    answer = member.post("/messages/@bob", form | {"content": "x" * 2_001})
    page = Html(answer)
    assert answer.status_code == 422
    assert page.all("textarea", name="content")[0].text == "x" * 2_001
    assert page.all("p", role="alert")
    assert fields(page)["nonce"] == form["nonce"]


def test_one_looks_again_and_marks_as_read_by_hand(alice, bob, known, member, drain_stream):
    write(bob, alice, "Tea?")
    drain_stream()
    page = Html(member.get("/messages/@bob"))
    assert [one.text for one in page.all("a", href="/messages/@bob#newest")] == ["Look again"]
    assert page.all("div", id="newest")
    up_to = page.all("input", name="up_to")[-1]["value"]
    assert "(1)" in page.all("title")[0].text or "(2)" in page.all("title")[0].text
    answer = member.post("/messages/@bob/read", {"up_to": up_to})
    assert answer["Location"] == "/messages/@bob#newest"
    badge = Html(member.get("/messages/@bob")).all("span", id="messages-badge")
    assert badge[0].text == ""


def test_older_messages_have_an_address_and_lead_back(alice, bob, known, member, monkeypatch):
    monkeypatch.setattr("chats.writes.BURST", 100)
    for number in range(55):
        write(bob, alice, f"Line {number}")
    page = Html(member.get("/messages/@bob"))
    assert said_on(page)[0] == "Line 5"
    older = Html(member.get(next(one["href"] for one in page.all("a") if "?page=" in one["href"])))
    assert said_on(older) == [f"Line {number}" for number in range(5)]
    assert older.all("a", href="/messages/@bob#newest")[0].text == "Newest messages"
    assert not older.all("div", id="chat-news")  # what is sent from here does not stand behind them
    assert not any(
        "hx-post" in form.attributes for form in older.all("form", action="/messages/@bob")
    )


def test_one_message_is_answered_deleted_and_kept_by_links_and_forms(alice, bob, known, member):
    theirs = write(bob, alice, "The code is 1234").message.message_id
    mine = write(alice, bob, "Oops").message.message_id
    page = Html(member.get(f"/messages/@bob?answers={theirs}"))
    assert "The code is 1234" in page.all("p", class_="chat-answers")[-1].text
    form = fields(page)
    assert form["answers"] == theirs
    member.post("/messages/@bob", form | {"content": "Thanks"})
    assert member.post(f"/messages/@bob/{mine}/delete")["Location"] == "/messages/@bob"
    assert member.post(f"/messages/@bob/{theirs}/keep")["Location"] == "/messages/@bob"
    page = Html(member.get("/messages/@bob"))
    assert said_on(page) == ["The code is 1234", "Thanks"]
    assert "The code is 1234" in page.all("a", class_="message-answered")[0].text
    assert page.all("p", class_="message-gone")[0].text == "Message deleted"
    assert page.all("p", class_="message-kept")[0].text == "You kept this"


def test_a_request_is_answered_by_a_form(alice, bob, member, drain_stream):
    write(bob, alice, "We met. https://example.org")
    drain_stream()
    assert [
        one["href"] for one in Html(member.get("/messages/requests")).all("a", class_="chat-row")
    ] == ["/messages/@bob#newest"]
    page = Html(member.get("/messages/@bob"))
    assert [one["value"] for one in page.all("button", name="answer")] == ["accept", "refuse"]
    assert not page.all("a", href="https://example.org")
    member.post("/messages/@bob/answer", {"answer": "accept"})
    page = Html(member.get("/messages/@bob"))
    assert not page.all("button", name="answer")
    assert page.all("a", href="https://example.org")


def test_the_days_are_chosen_and_a_draft_is_kept_by_forms(alice, bob, known, member):
    write(bob, alice)
    assert seen_by(alice, bob).standing.keep_days == KEEP_DAYS
    member.post("/messages/@bob/days", {"days": "30"})
    assert (
        "You chose: messages disappear after 30 days"
        in member.get("/messages/@bob").content.decode()
    )
    answer = member.post("/messages/@bob/draft", {"content": "Half a sen"})
    assert answer["Location"] == "/messages/@bob"
    assert (
        Html(member.get("/messages/@bob")).all("textarea", name="content")[0].text == "Half a sen"
    )


# What an open page asks


def looked(member: Client, bob, **asked: str) -> tuple[int, list[str]]:
    answer = member.get("/messages/@bob/news", {"with": bob.user_id, **asked}, headers=HTMX)
    return answer.status_code, said_on(Html(answer)) if answer.content else []


def test_a_look_brings_what_the_page_does_not_show_whatever_its_order(alice, bob, known, member):
    first = write(bob, alice, "One").message.message_id
    mark = seen_by(alice, bob).mark
    assert looked(member, bob, after="", known="", mark=mark) == (200, ["One"])
    assert looked(member, bob, after=first, known=first, mark=mark) == (204, [])
    second = write(bob, alice, "Two").message.message_id
    assert looked(member, bob, after=first, known=first, mark=mark) == (200, ["Two"])
    # Written by another process, it stands before the one that the page has.
    assert looked(member, bob, after=second, known=second, mark=mark) == (200, ["One"])
    assert looked(member, bob, after=second, known=f"{first}.{second}", mark=mark) == (204, [])


def test_what_comes_while_a_look_is_answered_waits_for_the_next_one(
    alice, bob, known, member, monkeypatch
):
    """It has no place on the page yet, which would make what looks different of it an error of the script."""
    first = write(bob, alice, "One").message.message_id
    asked = {"after": first, "known": first, "mark": "another"}

    def meanwhile(viewer, chat_id):
        write(bob, alice, "Two")
        return get_chat(viewer, chat_id)

    monkeypatch.setattr("chats.views.get_chat", meanwhile)
    assert looked(member, bob, **asked) == (200, ["One"])
    monkeypatch.undo()
    assert looked(member, bob, **asked | {"mark": seen_by(alice, bob).mark}) == (200, ["Two"])


def test_a_look_says_when_the_other_accepts_and_not_when_they_refuse(alice, bob, member, log_in):
    write(alice, bob, "We met.")
    found = seen_by(alice, bob)
    asked = {"after": found.newest, "known": found.newest, "mark": found.mark, "closed": "1"}
    log_in(bob).post("/messages/@alice/answer", {"answer": "refuse"})
    assert looked(member, bob, **asked) == (204, [])
    accept(bob, alice)
    answer = member.get("/messages/@bob/news", {"with": bob.user_id, **asked}, headers=HTMX)
    assert answer.status_code == 200
    assert Html(answer).all("textarea", name="content")
    assert ids.is_id(fields(Html(answer))["nonce"])


def test_a_further_message_of_an_unread_conversation_is_told_once(
    alice, bob, known, member, drain_stream
):
    told = Html(member.get("/messages")).one("div", id="pulse")
    for text in ("Tea?", "Or coffee?"):
        write(bob, alice, text)
        drain_stream()
        page = Html(member.get(told["hx-get"], headers=HTMX))
        assert page.one("div", id="pulse")["data-chats"] != told["data-chats"]
        assert page.one("span", id="messages-badge").text.split()[0] == "1"
        told = page.one("div", id="pulse")
    assert member.get(told["hx-get"], headers=HTMX).status_code == 204
