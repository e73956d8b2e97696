"""Notes on a case, what was done about it, and undoing that, on its page."""

import pytest
from django.test import Client

from moderation.models import ActionKind
from tests.conftest import HTMX
from tests.moderation.cases import about, decide, info, logged
from tests.moderation.queues import QUEUE, page_of, part, report, rows, steps
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def test_a_note_is_for_other_moderators(moderator, bob, carol):
    report(bob, by=[carol])
    answer = moderator.post(f"{about(bob).url}/note", {"text": "Wrote to him"})
    assert answer["Location"].startswith(about(bob).url)
    notes = part(page_of(moderator, bob), "case-notes")
    assert "Wrote to him" in notes
    assert "Mod Miller" in notes


def test_a_note_sent_twice_is_there_once(moderator, bob, carol):
    report(bob, by=[carol])
    for _ in range(2):
        part_of_page = moderator.post(f"{about(bob).url}/note", {"text": "Once"}, headers=HTMX)
    assert Html(part_of_page).one(id="notes").text.count("Once") == 1
    assert [entry.action for entry in logged()] == ["note"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_empty_or_long_note_is_refused_and_kept(moderator, bob, carol, headers):
    report(bob, by=[carol])
    answer = moderator.post(f"{about(bob).url}/note", {"text": "x" * 501}, headers=headers)
    assert answer.status_code == 422
    assert "x" * 501 in answer.content.decode()
    assert moderator.post(f"{about(bob).url}/note", {"text": " "}).status_code == 422


def test_what_was_done_is_listed_and_undone(moderator, mod, bob, carol):
    report(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.FREEZE, text="Cool down", keep_open=True)
    done = part(page_of(moderator, bob), "case-actions")
    for words in ("Frozen", "Mod Miller", "Cool down", "Undo"):
        assert words in done
    answer = moderator.post(f"{about(bob).url}/undo", {"action_id": action_id})
    assert answer.status_code == 302
    assert info(bob).frozen_until is None
    assert "undone by Mod Miller" in part(page_of(moderator, bob), "case-actions")
    assert moderator.post(f"{about(bob).url}/undo", {"action_id": action_id}).status_code == 302
    assert len([entry for entry in logged() if entry.action == "undo freeze"]) == 1


def test_what_was_never_done_is_not_undone(moderator, bob, carol):
    report(bob, by=[carol])
    answer = moderator.post(f"{about(bob).url}/undo", {"action_id": bob.user_id})
    assert answer.status_code == 404


def test_a_closed_case_says_how_and_opens_again_by_undoing(moderator, mod, bob, carol):
    report(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.DISMISS)
    html = page_of(moderator, bob)
    assert html.one("p", class_="case-closed").text == "Dismissed by Mod Miller, now"
    assert "dismiss" not in steps(html)
    moderator.post(f"{about(bob).url}/undo", {"action_id": action_id})
    assert rows(moderator.get(QUEUE)) == ["bob"]
