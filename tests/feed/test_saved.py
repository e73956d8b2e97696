"""Saving posts to read later: folders, notes, the page, and what it costs."""

import pytest

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.posts.models import Audience
from feed.publishing.writes import delete_post
from feed.saved import forms, writes
from feed.saved.reads import MOST_FOLDERS
from feed.saved.writes import (
    FolderExists,
    NoSuchFolder,
    TooManyFolders,
    create_folder,
    delete_folder,
    remove_saved_post,
    rename_folder,
    save_post,
)
from relations.blocks.writes import block, mute
from relations.follows.writes import follow, unfollow
from socialsite.table import ids, key_of, keys, query, write_batch
from socialsite.table.reading import scan
from tests.conftest import HTMX, post, publish_post
from tests.feed.scenes import file_saved, folder_names, saved_ids, shelf_of, state
from tests.feed.timelines import authors, fill_home
from tests.moderation.cases import restrict, withhold
from tests.streams.crowd import returning
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


# Saving posts to read later: the page of saved posts, and what it shows of posts that changed since.

GONE = "This post is no longer available."


def rows(html: Html) -> list[str]:
    return [row["id"].removeprefix("saved-") for row in html.all("div", class_="saved")]


def test_saved_posts_are_listed_newest_post_first(alice, bob, carol, log_in):
    posts = [post(author, f"By {author.handle}") for author in (bob, carol, alice)]
    for post_id, author in zip(reversed(posts), (alice, carol, bob), strict=True):
        save_post(by=alice, post_id=post_id, author_id=author.user_id)
    html = Html(log_in(alice).get("/saved"))
    assert rows(html) == html.post_ids() == posts[::-1]
    assert Html(log_in(bob).get("/saved")).post_ids() == []


def test_a_folder_shows_its_posts_alone(alice, bob, log_in):
    first, second = post(bob, "One"), post(bob, "Two")
    recipes = create_folder(by=alice, name="Recipes")
    create_folder(by=alice, name="Books")
    save_post(by=alice, post_id=first, author_id=bob.user_id, folder_id=recipes, note="Soup")
    save_post(by=alice, post_id=second, author_id=bob.user_id)
    browser = log_in(alice)
    html = Html(browser.get("/saved"))
    assert rows(html) == [second, first]
    chips = html.one("ul", class_="chips-row").text
    assert chips == "All Books Recipes"
    html = Html(browser.get(f"/saved?folder={recipes}"))
    assert rows(html) == [first]
    assert "Soup" in html.one("p", class_="own-note").text
    assert html.one("a", class_="chip", aria_current="true").text == "Recipes"


@pytest.mark.parametrize("folder", ["x", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])
def test_a_folder_of_nobody_or_of_someone_else_is_not_there(alice, bob, log_in, folder):
    theirs = create_folder(by=bob, name="Recipes")
    for wanted in (folder, theirs):
        assert log_in(alice).get(f"/saved?folder={wanted}").status_code == 404


def test_pages_follow_each_other_in_a_folder_too(alice, bob, log_in):
    recipes = create_folder(by=alice, name="Recipes")
    posts = [post(bob, str(number)) for number in range(25)]
    for post_id in posts:
        save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    browser = log_in(alice)
    for start in ("/saved", f"/saved?folder={recipes}"):
        first = Html(browser.get(start))
        assert rows(first) == posts[:4:-1]
        assert first.one("div", class_="more")["hx-get"] == first.link("next")
        second = Html(browser.get(first.link("next")))
        assert rows(second) == posts[4::-1]
        assert rows(Html(browser.get(second.link("prev")))) == posts[:4:-1]
        fragment = browser.get(first.link("next"), headers=HTMX)
        assert rows(Html(fragment)) == posts[4::-1]
        assert Html(fragment).all("html") == []


def test_a_cursor_of_one_list_opens_no_other(alice, bob, log_in):
    recipes = create_folder(by=alice, name="Recipes")
    for number in range(21):
        post_id = post(bob, str(number))
        save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    browser = log_in(alice)
    page = Html(browser.get("/saved")).link("next").partition("page=")[2]
    assert browser.get(f"/saved?folder={recipes}&page={page}").status_code == 400


def _delete(alice, bob, post_id):
    delete_post(by=bob, post_id=post_id)


def _block(alice, bob, post_id):
    block(by=bob, user_id=alice.user_id)


def _suspend(alice, bob, post_id):
    restrict(bob, Restriction.SUSPENDED)


def _hide(alice, bob, post_id):
    withhold(bob, post_id)


def _unfollow(alice, bob, post_id):
    unfollow(by=alice, user_id=bob.user_id)


@pytest.mark.parametrize("end", [_delete, _block, _suspend, _hide, _unfollow])
def test_what_can_no_longer_be_seen_is_a_line_without_text(alice, bob, log_in, end):
    follow(by=alice, user_id=bob.user_id)
    post_id = publish_post(by=bob, content="Secret", nonce="n", audience=Audience.FOLLOWERS)
    other = post(alice, "Own")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, note="Remember the soup")
    save_post(by=alice, post_id=other, author_id=alice.user_id)
    end(alice, bob, post_id)
    browser = log_in(alice)
    response = browser.get("/saved")
    html = Html(response)
    assert (rows(html), html.post_ids()) == ([other, post_id], [other])
    said = html.one("div", id=f"saved-{post_id}").text
    assert GONE in said
    assert "Remember the soup" in said
    for secret in ("Secret", "bob", "Bob"):
        assert secret not in response.content.decode()
    browser.post(f"/saved/{post_id}/remove")
    assert saved_ids(alice) == [other]


def test_posts_of_the_muted_stay_where_they_were_saved(alice, bob, log_in):
    post_id = post(bob)
    save_post(by=alice, post_id=post_id, author_id=bob.user_id)
    mute(by=alice, user_id=bob.user_id, until=None)
    assert Html(log_in(alice).get("/saved")).post_ids() == [post_id]


def test_nothing_of_it_is_written_outside_the_own_shelf(alice, bob, drain_stream):
    post_id = post(bob)
    drain_stream()
    before = everything()
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, note="Hm")
    drain_stream()
    new = {key for key, raw in everything().items() if before.get(key) != raw}
    assert {pk for pk, _ in new if not pk.startswith("worker")} == {keys.shelf(alice.user_id)}
    remove_saved_post(by=alice, post_id=post_id)
    assert list(query(keys.shelf(alice.user_id))) == []


def everything():
    return {key_of(raw): raw for raw in scan()}


def test_an_empty_page_says_how_it_fills(alice, bob, log_in):
    browser = log_in(alice)
    assert "No saved posts yet." in Html(browser.get("/saved")).one("div", class_="empty").text
    folder = create_folder(by=alice, name="Recipes")
    html = Html(browser.get(f"/saved?folder={folder}"))
    assert "This folder is empty." in html.one("div", class_="empty").text


def test_every_post_and_the_navigation_lead_there(alice, bob, log_in):
    own, theirs = post(alice, "Own"), post(bob, "Theirs")
    browser = log_in(alice)
    for author, post_id in (("alice", own), ("bob", theirs)):
        html = Html(browser.get(f"/@{author}/posts/{post_id}"))
        buttons = [button for button in html.all("button") if button.text == "Save"]
        assert buttons[0]["hx-post"] == f"/@{author}/posts/{post_id}/save"
        assert [link.text for link in html.all("a", href="/saved")] == ["Saved", "Saved"]
    visitor = Html(type(browser)().get(f"/@bob/posts/{theirs}"))
    assert "Save" not in [button.text for button in visitor.all("button")]


def test_the_viewer_brings_the_folders_along(alice):
    create_folder(by=alice, name="Recipes")
    assert [name for _, name in returning(alice).folder_names] == ["Recipes"]


# Folders of saved posts: names of one's own, which no post needs to be written for.

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


# What saved posts cost: calls, keys and units of the lists, the search and the writes.

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


@pytest.fixture
def posts(table) -> list[tuple[str, str]]:
    """Posts of 20 people, with their authors' ids."""
    people = authors(20)
    viewer = Viewer(ids.new_id())
    post_ids = fill_home(viewer, people)
    return list(zip(reversed(post_ids), (one.user_id for one in people), strict=True))


@capacity
@pytest.mark.parametrize("filed", [False, True], ids=["all", "folder"])
def test_a_page_of_twenty_authors_is_three_calls(alice, log_in, posts, requests_of, filed):
    folder = create_folder(by=alice, name="Recipes") if filed else ""
    for post_id, author_id in posts:
        save_post(by=alice, post_id=post_id, author_id=author_id, folder_id=folder)
    browser = log_in(alice)
    with requests_of() as requests:
        browser.get(f"/saved?folder={folder}" if filed else "/saved")
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert requests.made[1].parameters["Limit"] == 21
    assert requests.made[2].keys == 100
    assert requests.units[1:] == [pytest.approx(1, abs=0.5), 50]


@capacity
def test_the_writes_cost_what_they_say(alice, posts, requests_of):
    one, other = (create_folder(by=alice, name=name) for name in "AB")
    (post_id, author_id), *_ = posts
    save = {"by": alice, "post_id": post_id, "author_id": author_id}
    with requests_of() as requests:
        save_post(**save)
        save_post(**save, folder_id=one, note="Soup")
        save_post(**save, folder_id=other)
        remove_saved_post(by=alice, post_id=post_id)
        remove_saved_post(by=alice, post_id=post_id)
    read, write = "BatchGetItem", "TransactWriteItems"
    assert requests.operations == [read, write] * 4 + [read]
    assert requests.units == [1, 2, 1, 4, 1, 6, 1, 4, 1]


@capacity
def test_a_folder_costs_the_same_however_many_posts_are_in_it(alice, posts, requests_of):
    folder = create_folder(by=alice, name="A")
    for post_id, author_id in posts:
        save_post(by=alice, post_id=post_id, author_id=author_id, folder_id=folder)
    with requests_of() as requests:
        rename_folder(by=alice, folder_id=folder, name="B")
        delete_folder(by=alice, folder_id=folder)
    assert requests.operations == ["GetItem", "UpdateItem"] * 2
    assert requests.units == [1] * 4


@capacity
def test_a_search_that_finds_nothing_looks_at_two_hundred(alice, log_in, posts, requests_of):
    write_batch(puts=file_saved(alice, posts, 250))
    browser = log_in(alice)
    with requests_of() as requests:
        answer = browser.get("/saved?q=nowhere")
    assert requests.operations == ["BatchGetItem", "Query", *["BatchGetItem"] * 4]
    assert [made.keys for made in requests.made[2:]] == [70] * 4
    assert requests.units[1] <= 8
    assert requests.units[2:] == [35] * 4
    assert "Look further back" in answer.content.decode()


def test_a_search_that_finds_twenty_looks_no_further(alice, log_in, posts, requests_of):
    write_batch(puts=file_saved(alice, posts, 250, note="Soup"))
    browser = log_in(alice)
    with requests_of() as requests:
        answer = browser.get("/saved?q=soup")
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem", "BatchGetItem"]
    assert requests.made[3].keys <= 100
    assert len(Html(answer).all("div", class_="saved")) == 20


def test_the_dialog_and_its_answer_read_the_post_and_where_it_is(alice, bob, log_in, requests_of):
    address = f"/@bob/posts/{post(bob)}/save"
    browser = log_in(alice)
    with requests_of() as requests:
        browser.get(address, headers=HTMX)
    assert requests.operations == ["BatchGetItem"] * 3
    with requests_of() as requests:
        browser.post(address, {"note": "Soup"}, headers=HTMX)
    assert requests.operations == [*["BatchGetItem"] * 4, "TransactWriteItems"]
