"""Searching saved posts: by the words of the post, of its author and of the note, with bounded work."""

import pytest

from feed import searching
from feed.posts.models import Audience
from feed.publishing.writes import delete_post
from feed.saved import reads
from feed.saved.writes import create_folder, save_post
from relations.blocks.writes import block
from relations.follows.writes import follow, unfollow
from tests.conftest import HTMX, post, publish_post
from tests.web.html import Html


def rows(html: Html) -> list[str]:
    return [row["id"].removeprefix("saved-") for row in html.all("div", class_="saved")]


@pytest.fixture
def soup(alice, bob) -> str:
    post_id = post(bob, "Crème de légumes 🥣, 今天喝汤")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, note="For Sunday’s guests")
    return post_id


@pytest.fixture
def walk(alice, carol) -> str:
    post_id = post(carol, "A walk by the sea")
    save_post(by=alice, post_id=post_id, author_id=carol.user_id)
    return post_id


@pytest.mark.parametrize(
    "text",
    ["legumes", "CREME", "de leg", "creme guests", "sunday", "@bob", "Bob", "喝汤", "🥣"],
)
def test_words_of_post_note_and_author_find_it(alice, log_in, soup, walk, text):
    found = rows(Html(log_in(alice).get("/saved", {"q": text})))
    assert found == [soup]


def test_a_search_for_nothing_shows_all(alice, log_in, soup, walk):
    assert rows(Html(log_in(alice).get("/saved?q=+"))) == [walk, soup]


@pytest.mark.parametrize("text", ["meat", "legumes meat", "walk guests", "🍰"])
def test_all_words_must_be_in_it(alice, log_in, soup, walk, text):
    html = Html(log_in(alice).get("/saved", {"q": text}))
    assert rows(html) == []
    assert "We couldn’t find" in html.one("div", class_="empty").text
    assert html.value("q") == text


def test_a_search_ends_where_it_began(alice, log_in, soup):
    recipes = create_folder(by=alice, name="Recipes")
    for folder, address in (("", "/saved"), (recipes, f"/saved?folder={recipes}")):
        html = Html(log_in(alice).get("/saved", {"q": "soup", "folder": folder}))
        (end,) = [link for link in html.all("a") if link.text == "End search"]
        assert end["href"] == address


def test_a_search_keeps_to_its_folder(alice, bob, log_in, soup):
    recipes = create_folder(by=alice, name="Recipes")
    filed = post(bob, "Légumes again")
    save_post(by=alice, post_id=filed, author_id=bob.user_id, folder_id=recipes)
    browser = log_in(alice)
    assert rows(Html(browser.get("/saved?q=legumes"))) == [filed, soup]
    html = Html(browser.get(f"/saved?q=legumes&folder={recipes}"))
    assert rows(html) == [filed]
    assert html.value("folder") == recipes


def _delete(alice, bob, post_id):
    delete_post(by=bob, post_id=post_id)


def _block(alice, bob, post_id):
    block(by=bob, user_id=alice.user_id)


def _unfollow(alice, bob, post_id):
    unfollow(by=alice, user_id=bob.user_id)


@pytest.mark.parametrize("end", [_delete, _block, _unfollow])
def test_a_search_tells_nothing_of_what_can_no_longer_be_seen(alice, bob, log_in, end):
    follow(by=alice, user_id=bob.user_id)
    post_id = publish_post(by=bob, content="Secret", nonce="n", audience=Audience.FOLLOWERS)
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, note="My note")
    end(alice, bob, post_id)
    browser = log_in(alice)
    for text in ("secret", "bob", "secret note"):
        assert rows(Html(browser.get("/saved", {"q": text}))) == []
    assert rows(Html(browser.get("/saved", {"q": "note"}))) == [post_id]


def test_a_page_ends_with_the_twentieth_and_goes_on_behind_it(alice, bob, log_in):
    posts = [post(bob, f"Tea {number}") for number in range(45)]
    for post_id in posts:
        save_post(by=alice, post_id=post_id, author_id=bob.user_id)
    browser, seen, address = log_in(alice), [], "/saved?q=tea"
    pages = 0
    while address:
        html = Html(browser.get(address))
        seen += rows(html)
        pages += 1
        address = html.link("next")
    assert (seen, pages) == (posts[::-1], 3)


def test_what_is_hidden_does_not_shorten_a_page(alice, bob, carol, log_in):
    for number in range(25):
        author = carol if number % 2 else bob
        post_id = post(author, f"Tea {number}")
        save_post(by=alice, post_id=post_id, author_id=author.user_id)
    block(by=carol, user_id=alice.user_id)
    html = Html(log_in(alice).get("/saved?q=tea"))
    assert len(rows(html)) == 13


def test_a_page_looks_at_so_many_and_offers_to_go_on(alice, bob, log_in, monkeypatch, requests_of):
    monkeypatch.setattr(reads, "LOOKED_AT", 4)
    monkeypatch.setattr(searching, "TOGETHER", 2)
    posts = [post(bob, "Cake" if number == 0 else "Tea") for number in range(6)]
    for post_id in posts:
        save_post(by=alice, post_id=post_id, author_id=bob.user_id)
    browser = log_in(alice)
    with requests_of() as requests:
        first = Html(browser.get("/saved?q=cake"))
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem", "BatchGetItem"]
    assert requests.made[1].parameters["Limit"] == 5
    assert rows(first) == []
    ends = [end.text for end in first.all("p", class_="end")]
    assert [end.split(",")[0] for end in ends] == ["Nothing found so far.", "Searched 4 posts"]
    assert "hx-trigger" not in first.one("div", class_="more").attributes
    second = Html(browser.get(first.link("next"), headers=HTMX))
    assert rows(second) == [posts[0]]
    assert second.link("next") is None


def test_a_search_text_of_any_length_is_answered(alice, log_in, soup):
    browser = log_in(alice)
    for text in ("x" * 5000, "\x00", "%", "''", "<b>"):
        assert browser.get("/saved", {"q": text}).status_code == 200
