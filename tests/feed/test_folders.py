"""Folders of saved posts: names of one's own, which no post needs to be written for."""

import pytest

from feed.saved.reads import MOST_FOLDERS
from feed.saved.writes import (
    FolderExists,
    NoSuchFolder,
    TooManyFolders,
    create_folder,
    delete_folder,
    rename_folder,
    save_post,
)
from socialsite.table import ids
from tests.conftest import HTMX, post
from tests.feed.saving import folder_names, saved_ids
from tests.web.html import Html

RENAME, DELETE = "/saved/folder/rename?folder=", "/saved/folder/delete?folder="


@pytest.fixture
def recipes(alice) -> str:
    return create_folder(by=alice, name="Recipes")


def test_twenty_folders_and_no_more(alice):
    made = {create_folder(by=alice, name=f"Nr. {number}") for number in range(MOST_FOLDERS)}
    assert len(made) == MOST_FOLDERS
    with pytest.raises(TooManyFolders):
        create_folder(by=alice, name="Another")
    assert create_folder(by=alice, name="nr. 3") in made


def test_a_folder_gets_another_name_and_keeps_its_posts(alice, bob, log_in, recipes):
    post_id = post(bob)
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    browser = log_in(alice)
    assert Html(browser.get(RENAME + recipes)).value("name") == "Recipes"
    for _ in range(2):
        answer = browser.post(RENAME + recipes, {"name": "Kitchen & more"})
        assert (answer.status_code, answer["Location"]) == (302, f"/saved?folder={recipes}")
    assert folder_names(alice) == {recipes: "Kitchen & more"}
    html = Html(browser.get(f"/saved?folder={recipes}"))
    assert html.post_ids() == [post_id]
    assert "Kitchen & more" in html.one("div", class_="saved-head").text


@pytest.mark.parametrize("name", ["", "  ", "x" * 31, "a\x00b", "books"])
def test_a_name_that_will_not_do_is_refused_beside_the_field(alice, log_in, recipes, name):
    create_folder(by=alice, name="Books")
    response = log_in(alice).post(RENAME + recipes, {"name": name})
    assert response.status_code == 422
    assert Html(response).one("p", id="rename_name_error").text
    assert sorted(folder_names(alice).values()) == ["Books", "Recipes"]


def test_a_deleted_folder_leaves_its_posts_saved(alice, bob, log_in, recipes):
    post_id = post(bob)
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    browser = log_in(alice)
    assert browser.get(DELETE + recipes).status_code == 200
    assert folder_names(alice) == {recipes: "Recipes"}
    answer = browser.post(DELETE + recipes)
    assert (answer.status_code, answer["Location"]) == (302, "/saved")
    assert folder_names(alice) == {}
    html = Html(browser.get("/saved"))
    assert html.post_ids() == [post_id] == saved_ids(alice)
    assert html.all("a", class_="chip") == []
    assert browser.get(f"/saved?folder={recipes}").status_code == 404


def test_the_dialogs_are_fragments_of_their_pages(alice, log_in, recipes):
    for address in (RENAME, DELETE):
        html = Html(log_in(alice).get(address + recipes, headers=HTMX))
        assert (len(html.all("form")), html.all("html")) == (1, [])


@pytest.mark.parametrize("address", [RENAME, DELETE])
@pytest.mark.parametrize("method", ["get", "post"])
def test_the_folders_of_others_are_not_there(alice, bob, log_in, recipes, address, method):
    browser = log_in(bob)
    for wanted in (recipes, "x", ""):
        answer = getattr(browser, method)(address + wanted, {"name": "Mine"})
        assert answer.status_code == 404
    assert folder_names(alice) == {recipes: "Recipes"}


def test_the_services_refuse_what_is_not_there(alice, recipes):
    with pytest.raises(NoSuchFolder):
        rename_folder(by=alice, folder_id=ids.new_id(), name="X")
    other = create_folder(by=alice, name="Books")
    with pytest.raises(FolderExists):
        rename_folder(by=alice, folder_id=other, name="RECIPES")
    for _ in range(2):
        delete_folder(by=alice, folder_id=other)
    assert folder_names(alice) == {recipes: "Recipes"}
