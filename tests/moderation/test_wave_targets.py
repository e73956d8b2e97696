"""What pages send to begin a wave: cases, people without one, and posts."""

import pytest
from django.test import Client

from accounts.permissions import Permission, save_role
from moderation.bulk_decisions.reads import list_waves
from tests.conftest import person, post
from tests.moderation.cases import about, actions, info
from tests.moderation.queues import QUEUE, report, version_of
from tests.moderation.test_wave_pages import NO_WAVE, WAVES, page_text, said, start
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def test_posts_of_people_without_a_case_are_hidden_by_author(moderator, drain_stream, alice, bob):
    posts = [f"{one.user_id}.{post(one, 'Buy this')}" for one in (alice, alice, bob)]
    address = str(moderator.post(WAVES, {"post": posts})["Location"])
    assert "2 posts" in page_text(moderator.get(address))
    assert "0 of your posts" not in page_text(moderator.get(address))
    start(moderator, address, "hide")
    drain_stream()
    assert len(actions(about(alice))[0].posts) == 2
    assert len(actions(about(bob))[0].posts) == 1


def test_more_posts_than_an_action_takes_are_said(moderator, alice):
    posts = [f"{alice.user_id}.01M7YXYAVBYS6TB3H18E6Q4Q{number:02}" for number in range(22)]
    answer = moderator.post(WAVES, {"post": posts})
    assert "2 posts are left for later" in said(moderator, answer)


def test_every_hit_of_a_word_trial_can_be_acted_on(admin, log_in, drain_stream, alice, bob):
    for number in range(22):
        post(alice if number % 2 else bob, f"Buy spam {number}")
    browser = log_in(admin)
    trial = {"kind": "word", "pattern": "spam", "effect": "flag", "site_rule": "spam"}
    drain_stream()
    page = Html(browser.post("/moderation/words/try", trial))
    hits = [field["value"] for field in page.all("input", name="post")]
    assert len(hits) == 22
    address = str(browser.post(WAVES, {"post": hits})["Location"])
    start(browser, address, "hide")
    drain_stream()
    assert [len(actions(about(one))[0].posts) for one in (alice, bob)] == [11, 11]


def test_who_may_not_open_cases_is_offered_no_wave_for_hits(admin, log_in, drain_stream, alice):
    post(alice, "Buy spam")
    drain_stream()
    save_role(by=admin, name="filterer", title="Filterer", permissions={Permission.SITE})
    trial = {"kind": "word", "pattern": "spam", "effect": "flag", "site_rule": "spam"}
    browser = log_in(person("filtering", role="filterer"))
    page = Html(browser.post("/moderation/words/try", trial))
    assert page.all("article", class_="post")
    assert not page.all("input", name="post")


def test_people_are_selected_with_and_without_a_case(moderator, drain_stream, admin, alice, bob):
    report(bob, by=[alice])
    drain_stream()
    page = Html(moderator.get("/moderation/people?list=new"))
    boxes = {box["value"] for box in page.all("input", name="targets")}
    assert boxes == {f"person.{alice.user_id}.0", f"person.{bob.user_id}.0"}
    page = Html(moderator.get("/moderation/people?list=reported"))
    [box] = page.all("input", name="targets")
    assert box["value"] == f"person.{bob.user_id}.{version_of(about(bob))}"
    address = str(moderator.post(WAVES, {"action": "limit", "targets": boxes})["Location"])
    start(moderator, address, "limit")
    drain_stream()
    assert all(info(one).limited_until for one in (alice, bob))


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
    ],
)
def test_what_the_pages_do_not_send_makes_no_sense(moderator, form):
    assert moderator.post(WAVES, form).status_code == 400


def test_a_wave_that_never_was_is_not_there(moderator):
    assert moderator.get(f"{WAVES}/{NO_WAVE}").status_code == 404
    assert moderator.post(f"{WAVES}/{NO_WAVE}/start").status_code == 404
