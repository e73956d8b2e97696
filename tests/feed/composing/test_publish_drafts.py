"""Publishing a draft: both or neither, and no late saving brings it back."""

import pytest

from tests.feed.composing.shelves import autosave, drafts_of, fields, texts_of
from tests.feed.test_publish import contents
from tests.web.html import Html


@pytest.mark.parametrize("begun", ["0", "1"], ids=["answer lost", "answered"])
def test_publishing_deletes_the_draft_and_a_late_saving_brings_nothing_back(alice, log_in, begun):
    browser = log_in(alice)
    form = fields("Done")
    autosave(browser, form)
    known = form | {"version": begun, "writer": "page1"}
    for _ in range(2):
        assert browser.post("/posts", known).status_code == 302
    assert texts_of(alice) == []
    late = autosave(browser, known | {"content": "Done!"})
    assert late["status"] == 422
    assert "published or deleted" in late["said"]
    assert texts_of(alice) == []
    assert contents(alice) == ["Done"]


def test_a_first_saving_that_arrives_after_publishing_makes_no_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("Done", version="0", writer="page1")
    browser.post("/posts", form)
    assert autosave(browser, form)["status"] == 422
    assert texts_of(alice) == []


def test_publishing_keeps_a_draft_that_another_device_has_changed(alice, log_in):
    browser = log_in(alice)
    form = fields("Mine")
    autosave(browser, form)
    autosave(browser, form | {"version": "1", "content": "Longer", "writer": "page2"})
    answer = browser.post("/posts", form | {"version": "1", "writer": "page1"}, follow=True)
    assert "changed on another device" in Html(answer).one(id="toasts").text
    assert (contents(alice), texts_of(alice)) == (["Mine"], ["Longer"])


def test_a_story_is_kept_with_all_its_posts(alice, log_in):
    browser = log_in(alice)
    story = {"2-content": "Two", "2-warning": "Soup", "3-content": "Three", "expires_in": ""}
    form = fields("One", **story)
    assert autosave(browser, form)["status"] == 200
    (draft,) = drafts_of(alice)
    page = Html(browser.get(draft.url))
    assert [page.value(f"{n}-content") for n in (2, 3)] == ["Two", "Three"]
    assert page.value("2-warning") == "Soup"
    browser.post("/posts", form | {"version": "1"})
    assert (contents(alice), texts_of(alice)) == (["One", "Two", "Three"], [])


def test_a_post_that_is_refused_keeps_its_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("x" * 1001)
    assert autosave(browser, form)["status"] == 200
    answer = browser.post("/posts", form | {"version": "1"})
    assert answer.status_code == 422
    assert Html(answer).value("version") == "1"
    assert texts_of(alice) == ["x" * 1001]
