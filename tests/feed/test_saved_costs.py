"""What saved posts cost: calls, keys and units of the lists, the search and the writes."""

import pytest

from accounts.people.viewer import Viewer
from feed.saved.writes import (
    create_folder,
    delete_folder,
    remove_saved_post,
    rename_folder,
    save_post,
)
from socialsite.table import ids, write_batch
from tests.conftest import HTMX, post
from tests.feed.saving import file_saved
from tests.feed.timelines import authors, fill_home
from tests.web.html import Html

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
