"""Savings of one draft: by one browser, by two devices, late, twice, and with an answer that was lost."""

import pytest

from tests.feed.composing.shelves import autosave, drafts_of, fields, texts_of
from tests.web.html import Html


def test_saving_by_itself_updates_the_one_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("Ha")
    first = autosave(browser, form)
    assert first["status"] == 200
    assert first["said"].startswith("Saved ")
    second = autosave(browser, form | {"content": "Half", "version": first["version"]})
    assert (second["draft"], second["version"]) == (form["draft"], "2")
    assert texts_of(alice) == ["Half"]


def test_the_same_saving_twice_is_one_draft_of_one_version(alice, log_in):
    browser = log_in(alice)
    form = fields("Half")
    first, again = (autosave(browser, form) for _ in range(2))
    assert (first["draft"], first["version"]) == (again["draft"], again["version"])
    assert [draft.version for draft in drafts_of(alice)] == [1]


def test_a_page_whose_answer_was_lost_goes_on_with_its_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("Half")
    autosave(browser, form)
    assert autosave(browser, form | {"content": "Half a"})["status"] == 200
    assert texts_of(alice) == ["Half a"]


def test_of_two_devices_both_texts_are_kept(alice, log_in):
    laptop = phone = log_in(alice)
    form = fields("Half")
    autosave(laptop, form)
    on_phone = form | {"version": "1", "writer": "page2"}
    assert autosave(phone, on_phone | {"content": "Half a thought"})["status"] == 200
    stale = autosave(laptop, form | {"version": "1", "content": "Half an hour"})
    assert stale["status"] == 409
    assert "both texts" in stale["said"].lower()
    assert sorted(texts_of(alice)) == ["Half a thought", "Half an hour"]
    on_laptop = form | {"draft": stale["draft"], "version": stale["version"]}
    assert autosave(laptop, on_laptop | {"content": "Half an hour more"})["status"] == 200
    assert sorted(texts_of(alice)) == ["Half a thought", "Half an hour more"]


def test_a_stale_saving_that_comes_twice_is_kept_beside_once(alice, log_in):
    browser = log_in(alice)
    form = fields("Half")
    autosave(browser, form)
    autosave(browser, form | {"version": "1", "writer": "page2", "content": "Half a thought"})
    stale = form | {"version": "1", "content": "Half an hour"}
    first, again = (autosave(browser, stale) for _ in range(2))
    assert (first["status"], first["draft"]) == (409, again["draft"])
    assert sorted(texts_of(alice)) == ["Half a thought", "Half an hour"]
    for _ in range(2):
        browser.post("/drafts", stale | {"content": "By hand", "writer": ""})
    assert sorted(texts_of(alice)) == ["By hand", "Half a thought", "Half an hour"]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1), (3, 2, 1)], ids=str)
def test_savings_of_one_browser_count_by_their_turns_and_never_conflict(alice, log_in, order):
    browser = log_in(alice)
    form = fields("Half", turn="1")
    autosave(browser, form)
    for turn in order:  # no answer arrived, so none knows of the one before
        saving = {"version": "1", "turn": str(turn + 1), "content": f"Half {turn}"}
        assert autosave(browser, form | saving)["status"] == 200
    assert texts_of(alice) == ["Half 3"]


def test_the_button_keeps_both_texts_too(alice, log_in):
    browser = log_in(alice)
    form = fields("One")
    autosave(browser, form)
    answer = browser.post("/drafts", form | {"content": "Two", "version": "9"}, follow=True)
    assert "Both texts are in your drafts." in Html(answer).one(id="toasts").text
    assert sorted(texts_of(alice)) == ["One", "Two"]


def test_a_text_that_was_emptied_leaves_no_draft_and_the_next_letters_are_another(alice, log_in):
    browser = log_in(alice)
    form = fields("Ha")
    autosave(browser, form)
    empty = autosave(browser, form | {"content": " ", "version": "1"})
    assert (texts_of(alice), empty["version"]) == ([], "")
    assert empty["draft"] != form["draft"]
    assert autosave(browser, form | {"draft": empty["draft"], "content": "Ho"})["status"] == 200
