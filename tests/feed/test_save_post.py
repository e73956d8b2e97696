"""Saving a post, moving it to another folder, its note, and removing it: the dialog, its page, and the shelf."""

import pytest

from accounts.people.restrictions import Restriction
from feed.posts.models import Audience
from feed.saved import forms, writes
from feed.saved.writes import create_folder, delete_folder, remove_saved_post, save_post
from tests.conftest import HTMX, post, publish_post
from tests.feed.saving import folder_names, saved_ids, shelf_of, state
from tests.moderation.restricting import restrict
from tests.web.html import Html


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Read me")


@pytest.fixture
def page(post_id) -> str:
    return f"/@bob/posts/{post_id}/save"


def test_a_post_is_saved_with_folder_and_note(alice, bob, log_in, page, post_id):
    browser = log_in(alice)
    answer = browser.post(page, {"new_folder": "Recipes", "note": "The soup"})
    assert (answer.status_code, answer["Location"]) == (302, f"/@bob/posts/{post_id}")
    [folder] = folder_names(alice)
    assert folder_names(alice) == {folder: "Recipes"}
    # A ULID begins with a digit, so that it sorts before "all".
    assert state(alice) == [
        (folder, post_id, folder, "The soup"),
        ("all", post_id, folder, "The soup"),
    ]
    html = Html(browser.get(page))
    assert html.one("h2", id="modal-title").text == "Saved post"
    assert html.one("option", selected="").text == "Recipes"
    assert html.value("note") == "The soup"


@pytest.mark.parametrize("headers", [None, HTMX], ids=["page", "htmx"])
def test_save_in_the_menu_saves_at_once_and_asks_about_what_is_saved_already(
    alice, log_in, page, post_id, headers
):
    browser = log_in(alice)
    answer = browser.post(page, {"at_once": "1"}, headers=headers)
    assert answer.status_code == (200 if headers else 302)
    assert state(alice) == [("all", post_id, "", "")]
    browser.post(page, {"note": "The soup"})
    answer = browser.post(page, {"at_once": "1"}, headers=headers)
    assert Html(answer).value("note") == "The soup"
    assert state(alice) == [("all", post_id, "", "The soup")]


def test_the_dialog_of_a_post_that_is_not_saved_offers_no_removal(alice, log_in, page):
    response = log_in(alice).get(page, headers=HTMX)
    html = Html(response)
    assert html.all("html") == []
    assert response["HX-Retarget"] == "#modal"
    assert [button.text for button in html.all("button")] == ["Save"]
    assert html.all("select") == []


def test_saving_again_moves_it_and_replaces_the_note(alice, bob, log_in, page, post_id):
    recipes, books = (create_folder(by=alice, name=name) for name in ("Recipes", "Books"))
    browser = log_in(alice)
    for _ in range(2):
        browser.post(page, {"folder": recipes, "note": "The soup"})
        assert state(alice)[1:] == [("all", post_id, recipes, "The soup")]
    browser.post(page, {"folder": books, "note": ""})
    assert state(alice) == [(books, post_id, books, ""), ("all", post_id, books, "")]
    browser.post(page, {"folder": "", "note": "Later"})
    assert state(alice) == [("all", post_id, "", "Later")]


def test_what_is_moved_stays_saved_since_it_was(alice, bob, post_id):
    save_post(by=alice, post_id=post_id, author_id=bob.user_id)
    [before] = shelf_of(alice)
    folder = create_folder(by=alice, name="Recipes")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=folder)
    assert {item.saved_at for item in shelf_of(alice)} == {before.saved_at}


def test_a_new_folder_with_the_name_of_one_is_that_one(alice, log_in, page, post_id):
    recipes = create_folder(by=alice, name="Recipes")
    log_in(alice).post(page, {"new_folder": "recipes"})
    assert folder_names(alice) == {recipes: "Recipes"}
    assert saved_ids(alice, recipes) == [post_id]


def test_removing_leaves_nothing_and_may_be_repeated(alice, bob, log_in, post_id):
    recipes = create_folder(by=alice, name="Recipes")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes, note="Soup")
    browser = log_in(alice)
    for _ in range(2):
        answer = browser.post(f"/saved/{post_id}/remove")
        assert (answer.status_code, answer["Location"]) == (302, "/saved")
        assert state(alice) == []


def test_removing_goes_back_to_where_the_button_was(alice, log_in, post_id):
    browser = log_in(alice)
    for wanted, target in (("/local", "/local"), ("https://evil.example", "/")):
        answer = browser.post(f"/saved/{post_id}/remove?next={wanted}")
        assert answer["Location"] == target


def test_removing_removes_ones_own_alone(alice, bob, carol, log_in, post_id):
    for reader in (alice, carol):
        save_post(by=reader, post_id=post_id, author_id=bob.user_id)
    log_in(alice).post(f"/saved/{post_id}/remove")
    assert (saved_ids(alice), saved_ids(carol)) == ([], [post_id])


def test_a_removed_row_can_be_undone_with_its_folder_and_note(alice, bob, log_in, post_id):
    recipes = create_folder(by=alice, name="Recipes")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes, note="Soup")
    before = state(alice)
    browser = log_in(alice)
    answer = browser.post(f"/saved/{post_id}/remove?place=saved", headers=HTMX)
    assert answer["HX-Retarget"] == f"#saved-{post_id}"
    html = Html(answer)
    assert "Removed from your saved posts." in html.one("div", class_="placeholder").text
    undo = html.one("form", method="post")
    form = {one["name"]: one["value"] for one in html.all("input", type="hidden")}
    answer = browser.post(undo["hx-post"], form, headers=HTMX)
    assert answer["HX-Retarget"] == f"#saved-{post_id}"
    assert "Soup" in Html(answer).one("div", class_="saved").text
    assert state(alice) == before


def test_elsewhere_the_answer_is_a_message_alone(alice, log_in, page, post_id):
    browser = log_in(alice)
    for address, said in (
        (page, "Saved. Only you can see it."),
        (f"/saved/{post_id}/remove", "Removed from your saved posts."),
    ):
        answer = browser.post(address, headers=HTMX)
        assert (answer.status_code, answer.content) == (200, b"")
        assert said in answer["HX-Trigger"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("folder", "nowhere"),
        ("new_folder", "x" * 31),
        ("new_folder", "a\x00b"),
        ("note", "x" * 501),
        ("note", "a\x00b"),
    ],
)
def test_bad_input_is_refused_beside_its_field_and_kept(alice, log_in, page, field, value):
    create_folder(by=alice, name="Books")
    for headers in ({}, HTMX):
        typed = {"note": "kept"} | {field: value}
        response = log_in(alice).post(page, typed, headers=headers)
        assert response.status_code == 422
        html = Html(response)
        assert html.one("p", id=f"save_{field}_error").text
        assert field == "note" or html.value("note") == "kept"
        assert state(alice) == []


def test_more_than_twenty_folders_are_refused_in_words(alice, log_in, page, monkeypatch):
    browser = log_in(alice)
    monkeypatch.setattr(writes, "MOST_FOLDERS", 0)
    for most_of_form in (1, 0):  # another window made one since; the form knows by itself
        monkeypatch.setattr(forms, "MOST_FOLDERS", most_of_form)
        response = browser.post(page, {"new_folder": "Work", "note": "kept"})
        assert response.status_code == 422
        html = Html(response)
        assert "20 folders" in html.one("p", id="save_new_folder_error").text
        assert html.value("note") == "kept"
        assert state(alice) == []


@pytest.mark.parametrize("method", ["get", "post"])
def test_what_one_may_not_see_cannot_be_saved(alice, bob, log_in, method):
    post_id = publish_post(by=bob, content="Sh!", nonce="n", audience=Audience.ONLY_ME)
    answer = getattr(log_in(alice), method)(f"/@bob/posts/{post_id}/save")
    assert answer.status_code == 404
    assert state(alice) == []


def test_the_frozen_may_save_as_others_see_nothing_of_it(alice, log_in, page, post_id):
    restrict(alice, Restriction.FROZEN)
    assert log_in(alice).post(page, {"note": "Soup"}).status_code == 302
    assert saved_ids(alice) == [post_id]


def test_a_post_in_a_folder_that_was_deleted_is_in_none(alice, bob, log_in, page, post_id):
    recipes = create_folder(by=alice, name="Recipes")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    delete_folder(by=alice, folder_id=recipes)
    browser = log_in(alice)
    assert Html(browser.get("/saved")).post_ids() == [post_id]
    books = create_folder(by=alice, name="Books")
    browser.post(page, {"folder": books})
    assert state(alice) == [(books, post_id, books, ""), ("all", post_id, books, "")]
    remove_saved_post(by=alice, post_id=post_id)
    assert state(alice) == []
