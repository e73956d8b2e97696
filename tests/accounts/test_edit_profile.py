"""Editing one's profile: saved for everyone to see, refused with what was typed kept."""

import pytest
import regex
from django.test import Client

from accounts.people.reads import get_user_info
from tests.conftest import HTMX
from tests.web.html import Html, shown_name

FORM = {"name": "Alice Ärcher 陈", "bio": "Line one\nline two", "location": "Zürich"}


def edit(browser: Client, **changes: str):
    return browser.post("/settings/profile", FORM | changes)


def test_the_form_shows_what_is_there(alice, log_in):
    browser = log_in(alice)
    edit(browser)
    page = Html(browser.get("/settings/profile"))
    assert {name: page.value(name) for name in FORM} == FORM


def test_saving_changes_the_profile(alice, log_in):
    browser = log_in(alice)
    response = edit(browser)
    assert (response.status_code, response["Location"]) == (302, "/@alice")
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == tuple(FORM.values())
    page = browser.get("/@alice")
    assert shown_name(page) == FORM["name"]
    assert "Profile saved." in Html(page).one(id="toasts").text


def test_saving_over_htmx_does_the_same(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/settings/profile", FORM, headers=HTMX).status_code == 200
    assert get_user_info(alice.user_id).name == FORM["name"]


def test_saving_twice_changes_nothing_more(alice, log_in):
    browser = log_in(alice)
    edit(browser)
    once = get_user_info(alice.user_id)
    assert edit(browser).status_code == 302
    assert get_user_info(alice.user_id) == once


def test_what_is_emptied_is_gone(alice, log_in):
    browser = log_in(alice)
    edit(browser)
    edit(browser, bio="", location="")
    card = get_user_info(alice.user_id)
    assert (card.name, card.bio, card.location) == (FORM["name"], "", "")


def test_one_edits_nobody_but_oneself(alice, bob, log_in):
    edit(log_in(alice), user_id=bob.user_id, handle="bob")
    assert get_user_info(bob.user_id).name == "Bob Brandt"
    assert get_user_info(alice.user_id).handle == "alice"


def test_fields_that_the_form_does_not_have_change_nothing(alice, log_in):
    edit(log_in(alice), role="admin", imageUrl="avatars/x.webp", followers="99")
    card = get_user_info(alice.user_id)
    assert (card.role, card.avatar_url, card.followers) == ("", "", 0)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", ""),
        ("name", "n" * 51),
        ("name", "\x07\u202e"),
        ("bio", "b" * 501),
        ("bio", "a" + "\u0300" * 9),
        ("location", "l" * 61),
        ("location", "two\nlines"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_all_of_it_stays(alice, log_in, field, typed):
    browser = log_in(alice)
    response = edit(browser, **{field: typed})
    page = Html(response)
    assert response.status_code == 422
    assert page.error(field)
    for name, value in (FORM | {field: typed}).items():
        assert page.value(name) == value
        assert bool(page.error(name)) is (name == field)
    assert get_user_info(alice.user_id).name == "Alice Archer"


def test_length_is_counted_as_people_count(alice, log_in):
    flag = "🇪🇺"
    browser = log_in(alice)
    assert edit(browser, name="é" * 50).status_code == 302
    assert edit(browser, bio=flag * 100).status_code == 302
    response = edit(browser, name="e\u0301" * 51)
    assert "up to 50 characters (this has 51)" in Html(response).error("name")


@pytest.mark.parametrize("word", ["नमस्ते", "สวัสดีครับ", "வணக்கம்", "🇪🇺"])
def test_text_within_the_limit_is_accepted_in_every_script(alice, log_in, word):
    text = (word + " ") * 500
    while count(text) > 490:
        text = text[: -len(word) - 1]
    assert edit(log_in(alice), bio=text.strip()).status_code == 302


def test_no_refusal_speaks_of_a_length_within_the_limit(alice, log_in):
    families = "👩‍👩‍👧‍👧" * 480
    message = Html(edit(log_in(alice), bio=families)).error("bio")
    assert "this has 480" not in message


def count(text: str) -> int:
    return len(regex.findall(r"\X", text))


def test_the_settings_page_is_never_kept_by_a_cache(alice, log_in):
    browser = log_in(alice)
    for response in (browser.get("/settings/profile"), edit(browser, name="")):
        assert response["Cache-Control"] == "no-store"
