"""The pages of a reset profile: the question, the message, the log, and the pictures that the case keeps."""

import pytest
from django.test import Client

from accounts.profile.writes import edit_profile
from moderation.audit_log.reads import list_public_entries
from moderation.cases.effects import undo_action
from moderation.models import ActionKind
from socialsite.clock import utc_now_iso
from tests.conftest import HTMX
from tests.moderation.cases import about, actions, decide, info, report, strikes
from tests.moderation.queues import version_of
from tests.moderation.reported_photos import case_photos, files_in, look, looks
from tests.moderation.reported_pictures import give_pictures
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def reported(alice, bob):
    edit_profile(by=bob, name="Cheap pills", bio="Buy <b>now</b>", location="")
    report(alice, bob, rule_id="spam")
    return about(bob)


def send(browser: Client, case_id, *parts: str, version: int = 0):
    form = {
        "action": "reset",
        "version": version or version_of(case_id),
        "rule": "spam",
        "preset": "default",
        "parts": parts,
    }
    return browser.post(f"{case_id.url}/decide", form)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_question_offers_what_the_profile_says(moderator, reported, headers):
    answer = moderator.get(f"{reported.url}/decide?action=reset", headers=headers)
    html = Html(answer)
    boxes = html.all("input", name="parts")
    assert [box["value"] for box in boxes] == ["name", "bio"]
    assert not any("checked" in box.attributes for box in boxes)
    said = [label.text for label in html.all("label", class_="chosen-part")]
    assert said == ["Display name: Cheap pills", "Bio: Buy <b>now</b>"]
    assert not actions(reported)


def test_the_person_is_told_which_parts_went(moderator, reported, bob, log_in):
    version = version_of(reported)
    for _ in range(2):
        assert send(moderator, reported, "name", "bio", version=version).status_code == 302
    (strike,) = strikes(bob)
    text = Html(log_in(bob).get(f"/standing/{strike.action_id}")).one("section", id="strike").text
    assert text.startswith("Parts of your profile were removed")
    assert "Display name, Bio" in text
    assert "You can choose something else." in text


def test_the_preview_says_what_they_will_read(moderator, reported):
    form = {
        "action": "reset",
        "version": version_of(reported),
        "rule": "spam",
        "preset": "default",
        "parts": ["bio"],
        "preview": "1",
    }
    told = Html(moderator.post(f"{reported.url}/decide", form, headers=HTMX)).one("div", id="told")
    assert "Parts of your profile were removed" in told.text
    assert "Bio" in told.text
    assert not actions(reported)


@pytest.mark.parametrize("parts", [(), ("location",), ("handle",), ("name", "role")])
def test_parts_that_cannot_be_reset_are_refused_and_nothing_happens(moderator, reported, parts):
    answer = send(moderator, reported, *parts)
    assert answer.status_code == 422
    assert Html(answer).all("div", class_="form-errors")
    assert not actions(reported)


def test_an_empty_profile_has_nothing_to_reset(moderator, alice, bob):
    edit_profile(by=bob, name="bob", bio="")
    report(alice, bob)
    page = Html(moderator.get(f"{about(bob).url}/decide?action=reset"))
    assert "There is nothing in this profile that you could remove." in page.one("main").text


def test_the_page_of_the_case_says_it_and_offers_to_undo_it(moderator, reported, bob):
    send(moderator, reported, "name")
    page = Html(moderator.get(reported.url)).one("main").text
    assert "Profile reset" in page
    assert "Display name" in page
    (action,) = actions(reported)
    undone = moderator.post(f"{reported.url}/undo", {"action_id": action.action_id})
    assert undone.status_code == 302
    assert info(bob).name == "Cheap pills"


def test_the_log_names_the_parts_and_the_public_log_nobody(mod, admin, reported, log_in):
    action_id = decide(mod, reported, ActionKind.RESET, parts=("name",))
    undo_action(by=mod, case_id=reported, action_id=action_id)
    page = Html(log_in(admin).get("/moderation/log")).one("main").text
    assert "Mod Miller reset parts of the profile of @bob" in page
    assert "Parts of the profile Display name" in page.replace(":", "")
    assert "Mod Miller restored the profile of @bob" in page
    public = [one.sentence for one in list_public_entries(utc_now_iso()[:7]).items]
    assert public == ["A profile was restored", "Parts of a profile were reset"]


# Pictures


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_picture_is_covered_until_a_moderator_asks_which_is_logged(
    moderator, alice, bob, drain_stream, headers
):
    names = give_pictures(bob)
    report(alice, bob)
    drain_stream()
    page = moderator.get(about(bob).url)
    assert files_in(page) == []
    covers = [one.text for one in Html(page).all("li", class_="case-photo")]
    assert ["header picture" in text for text in covers] == [False, True]
    assert all("Show this picture (this is logged)" in text for text in covers)
    header = next(one for one in case_photos() if one.part == "header")
    answer = look(moderator, about(bob), header.photo_id, **headers)
    (address,) = files_in(answer)
    picture = b"".join(moderator.get(address).streaming_content).decode()
    assert picture == f"RIFF {names['header']} 1500.webp"
    assert looks() == [{"photo": header.photo_id}]
    assert files_in(moderator.get(about(bob).url)) == []


def test_a_picture_that_was_reset_can_still_be_judged(moderator, mod, alice, bob, drain_stream):
    give_pictures(bob)
    report(alice, bob)
    decide(mod, about(bob), ActionKind.RESET)
    drain_stream()
    for one in case_photos():
        (address,) = files_in(look(moderator, about(bob), one.photo_id))
        assert moderator.get(address).status_code == 200


def test_nobody_else_can_ask_for_a_picture(alice, bob, viewers, drain_stream):
    give_pictures(bob)
    report(alice, bob)
    drain_stream()
    one = case_photos()[0]
    answers = {kind: look(browser, about(bob), one.photo_id) for kind, browser in viewers.items()}
    assert answers.pop("another moderator").status_code == 200
    assert {one.status_code for one in answers.values()} == {404}
