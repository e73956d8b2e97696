"""What pages send to begin a wave: cases, people without one, and posts."""

import pytest
from django.test import Client

from moderation.waves.access_patterns import list_waves
from tests.conftest import post
from tests.moderation.cases import about, actions
from tests.moderation.queues import QUEUE
from tests.moderation.test_wave_pages import NO_WAVE, WAVES, page_text, said, start


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def test_posts_of_people_without_a_case_are_hidden_by_author(moderator, drain_stream, alice, bob):
    posts = [f"{one.user_id}.{post(one, 'Buy this')}" for one in (alice, alice, bob)]
    address = str(moderator.post(WAVES, {"post": posts})["Location"])
    assert "2 posts" in page_text(moderator.get(address))
    start(moderator, address, "hide")
    drain_stream()
    assert len(actions(about(alice))[0].posts) == 2
    assert len(actions(about(bob))[0].posts) == 1


def test_more_posts_than_an_action_takes_are_said(moderator, alice):
    posts = [f"{alice.user_id}.01M7YXYAVBYS6TB3H18E6Q4Q{number:02}" for number in range(22)]
    answer = moderator.post(WAVES, {"post": posts})
    assert "2 posts are left for later" in said(moderator, answer)


def test_nothing_selected_is_said_so(moderator):
    answer = moderator.post(f"{WAVES}?queue=held", {"action": "release"})
    assert answer["Location"] == f"{QUEUE}?queue=held"
    assert "Choose a case first." in said(moderator, answer)


def test_at_most_500_are_taken(moderator):
    targets = [f"person.01M7YXYAVBYS6TB3H18E6Q{number:04}.1" for number in range(1000, 1501)]
    answer = moderator.post(WAVES, {"action": "warn", "targets": targets})
    assert "Choose at most 500 cases." in said(moderator, answer)
    assert not list_waves().items


@pytest.mark.parametrize(
    "form",
    [
        {"action": "warn", "targets": ["nonsense"]},
        {"action": "warn", "post": ["nonsense"]},
        {"action": "sing", "targets": [f"person.{NO_WAVE}.1"]},
        {"action": "approve", "targets": [f"person.{NO_WAVE}.1"]},
        {"action": "warn", "targets": [f"person.{NO_WAVE}.1", f"post.{NO_WAVE}.1"]},
    ],
)
def test_what_the_pages_do_not_send_makes_no_sense(moderator, form):
    assert moderator.post(WAVES, form).status_code == 400


def test_a_wave_that_never_was_is_not_there(moderator):
    assert moderator.get(f"{WAVES}/{NO_WAVE}").status_code == 404
    assert moderator.post(f"{WAVES}/{NO_WAVE}/start").status_code == 404
