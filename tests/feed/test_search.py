"""Searching the posts one wrote, liked and saved, by their words."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from feed import searching
from feed.cards.reads import get_post
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience, LikeTrace, Post
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from feed.saved import reads
from feed.saved.writes import create_folder, save_post
from feed.searching import MOST_MARKS, mark_in
from feed.sharing.writes import repost
from feed.threads.writes import reply
from relations.blocks.writes import block
from relations.follows.writes import follow, unfollow
from socialsite.table import ids, write_batch
from socialsite.texts import find_folded
from tests.conftest import HTMX, post, publish_post
from tests.feed.test_saved import rows
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")

LISTS = ("posts", "liked", "saved")


@pytest.fixture
def member(alice, log_in):
    return log_in(alice)


def found(member, where: str, text: str) -> list[str]:
    return Html(member.get("/search", {"in": where, "q": text})).post_ids()


def like(viewer, author, post_id: str) -> None:
    like_post(by=viewer, post_id=post_id, author_id=author.user_id)


@pytest.mark.parametrize(
    "text", ["legumes", "CREME", "de leg", "喝汤", "🥣", "ｃｒｅｍｅ 今天", "spicy"]
)
def test_own_posts_are_found_by_their_words(alice, bob, member, text):
    words = "Crème de légumes 🥣, 今天喝汤"
    mine = publish_post(
        by=alice, content=words, warning="Spicy", nonce="n", audience=Audience.ONLY_ME
    )
    post(alice, "A walk by the sea")
    post(bob, words)
    assert found(member, "posts", text) == [mine]


def test_own_replies_are_found_and_reposts_are_not(alice, bob, member):
    theirs = post(bob, "Soup")
    repost(by=alice, post=Pointer(theirs, bob.user_id))
    answer = reply(by=alice, to=Pointer(theirs, bob.user_id), content="Soup!", nonce="n")
    assert found(member, "posts", "soup") == [answer]


def test_liked_posts_are_found_by_their_words_and_author(alice, bob, carol, member):
    soup, walk, other = post(bob, "Soup"), post(carol, "A walk"), post(bob, "Soup, not liked")
    like(alice, bob, soup)
    like(alice, carol, walk)
    like(alice, bob, other)
    unlike_post(by=alice, post_id=other)
    reposted = post(bob, "Soup, reposted alone")
    repost(by=alice, post=Pointer(reposted, bob.user_id))
    assert found(member, "liked", "soup") == [soup]
    assert found(member, "liked", "@carol") == [walk]
    assert found(member, "liked", "walk soup") == []


def _delete(alice, bob, post_id):
    delete_post(by=bob, post_id=post_id)


def _block(alice, bob, post_id):
    block(by=bob, user_id=alice.user_id)


def _close(alice, bob, post_id):
    change_audience(by=bob, post_id=post_id, audience=Audience.FRIENDS)


@pytest.mark.parametrize("end", [_delete, _block, _close])
def test_a_search_tells_nothing_of_liked_posts_that_can_no_longer_be_seen(alice, bob, member, end):
    post_id = post(bob, "Secret")
    like(alice, bob, post_id)
    assert found(member, "liked", "secret") == [post_id]
    end(alice, bob, post_id)
    assert found(member, "liked", "secret") == found(member, "liked", "bob") == []


def test_saved_posts_are_found_with_their_notes_as_on_their_own_page(alice, bob, member):
    post_id = post(bob, "Crème")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, note="For Sunday")
    html = Html(member.get("/search?in=saved&q=sunday+creme"))
    assert html.post_ids() == [post_id]
    assert html.one("p", class_="own-note").text == "Private note For Sunday"


def test_a_cover_stays_closed_above_what_was_found(alice, bob, member):
    post_id = publish_post(by=bob, content="The butler did it", warning="Ending", nonce="n")
    like(alice, bob, post_id)
    html = Html(member.get("/search?in=liked&q=butler"))
    cover = html.one("details", class_="covered")
    assert "open" not in cover.attributes
    assert html.one("mark").text == "butler"


@pytest.mark.parametrize("where", LISTS)
def test_each_list_has_its_tab_and_a_form_that_waits_until_it_is_sent(member, where):
    html = Html(member.get("/search", {"in": where, "q": "no<b>"}))
    tabs = [
        link for link in html.all("a") if link.attributes.get("href", "").startswith("/search?")
    ]
    assert [link["href"] for link in tabs if "aria-current" in link.attributes] == [
        f"/search?in={where}&q=no%3Cb%3E"
    ]
    assert [link.text for link in tabs] == [
        "All",
        "People",
        "Posts",
        "Tags",
        "Your posts",
        "Liked",
        "Saved",
    ]
    form = next(form for form in html.all("form") if form.attributes.get("role") == "search")
    assert not [name for name in form.attributes if name.startswith("hx-")]
    assert (html.value("in"), html.value("q")) == (where, "no<b>")
    assert "“no<b>”" in html.one("div", class_="empty").text
    assert member.get("/search", {"in": where}).status_code == 200


def test_visitors_see_no_tabs_of_own_lists_and_members_do_while_they_type(client, member):
    for answer in (client.get("/search?q=a"), member.get("/explore")):
        assert "?in=" not in answer.content.decode()
    assert "?in=posts" in member.get("/search?q=a", headers=HTMX).content.decode()
    assert client.get("/search?in=posts&q=a").url.startswith("/login?next=")
    assert member.get("/search?in=sent&q=a").status_code == 404


@pytest.mark.parametrize("where", LISTS)
def test_a_search_text_of_any_length_is_answered(alice, member, where):
    like(alice, alice, post(alice, "<b>%"))
    for text in ("x" * 5000, "\x00", "%", "''", "<b>", "\\"):
        assert member.get("/search", {"in": where, "q": text}).status_code == 200
    assert member.get(f"/search?in={where}&q=a&page=nonsense").status_code == 400


def test_a_search_goes_further_back_when_it_is_told_to(alice, member, monkeypatch):
    monkeypatch.setattr(searching, "OWN_POSTS_LOOKED_AT", 3)
    posts = [post(alice, "Cake" if number == 0 else "Tea") for number in range(6)]
    first = Html(member.get("/search?in=posts&q=cake"))
    assert first.post_ids() == []
    ends = [end.text for end in first.all("p", class_="end")]
    today = datetime.now(UTC).year
    assert ends[0] == "Nothing found so far."
    assert ends[1].startswith("Searched 3 posts, back to ")
    assert ends[1].endswith(f"{today}.")
    assert "hx-trigger" not in first.one("div", class_="more").attributes
    second = Html(member.get(first.link("next"), headers=HTMX))
    assert second.post_ids() == [posts[0]]
    assert second.link("next") is None


def test_a_page_ends_with_the_twentieth_and_goes_on_behind_it(alice, member):
    posts = [post(alice, f"Tea {number}") for number in range(45)]
    seen, address, pages = [], "/search?in=posts&q=tea", 0
    while address:
        html = Html(member.get(address))
        seen += html.post_ids()
        pages += 1
        address = html.link("next")
    assert (seen, pages) == (posts[::-1], 3)


def _past(number: int) -> str:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return ids.id_at(start + timedelta(minutes=number), os.urandom(10))


@capacity
def test_own_posts_of_the_greatest_length_cost_what_is_said(alice, member, requests_of):
    """600 posts of almost 4 KB: three Queries read 501 of them and no more than three MB."""
    text = "猫" * 1200
    write_batch(
        puts=[
            Post.new(post_id=_past(number), author_id=alice.user_id, content=text)
            for number in range(600)
        ]
    )
    with requests_of() as requests:
        answer = member.get("/search?in=posts&q=nowhere")
    queries = requests.operations[1:]
    assert requests.operations[0] == "BatchGetItem"
    assert 0 < len(queries) <= 3
    assert set(queries) == {"Query"}
    assert requests.made[1].parameters["Limit"] == 501
    assert sum(requests.units[1:]) <= 300
    assert "Searched 500 posts, back to" in answer.content.decode()


@capacity
def test_a_search_in_own_posts_is_a_query_and_the_cards(alice, member, requests_of):
    for number in range(30):
        post(alice, f"Tea {number}")
    with requests_of() as requests:
        assert len(found(member, "posts", "tea")) == 20
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert requests.made[2].keys <= 61
    assert sum(requests.units) <= 40


@capacity
def test_a_search_in_liked_posts_looks_at_two_hundred(alice, bob, member, requests_of):
    write_batch(
        puts=[
            LikeTrace.new(post_id=_past(number), author_id=bob.user_id, user_id=alice.user_id)
            for number in range(searching.LIKES_LOOKED_AT + 50)
        ]
    )
    with requests_of() as requests:
        answer = member.get("/search?in=liked&q=nowhere")
    assert requests.operations == ["BatchGetItem", "Query", *["BatchGetItem"] * 4]
    assert sum(requests.units[1:]) <= 8 + 4 * 50
    assert "Searched 200 posts, back to" in answer.content.decode()


# Searching saved posts: by the words of the post, of its author and of the note, with bounded work.


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


def test_a_page_of_saved_posts_ends_with_the_twentieth_and_goes_on_behind_it(alice, bob, log_in):
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


def test_a_search_of_saved_posts_of_any_length_is_answered(alice, log_in, soup):
    browser = log_in(alice)
    for text in ("x" * 5000, "\x00", "%", "''", "<b>"):
        assert browser.get("/saved", {"q": text}).status_code == 200


# The words of a search are marked in what was found, as they are written there.


def test_words_are_marked_in_the_text_and_nowhere_else(alice):
    post_id = post(alice, "Café & <café> https://cafe.example/cafe #cafe")
    card = get_post(post_id, alice.user_id, viewer=alice)
    marked = str(mark_in(card, ["cafe"]).html)
    assert marked.replace("<mark>", "").replace("</mark>", "") == str(card.html)
    assert marked.startswith("<mark>Café</mark> &amp; &lt;<mark>café</mark>&gt; <a href=")
    assert 'href="https://cafe.example/cafe"' in marked
    assert "><mark>cafe</mark>.example/cafe</a> #" in marked.replace('<a href="/tags/cafe">', "")
    assert marked.count("<mark>") == MOST_MARKS


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("Crème brûlée", ["brulee", "creme"], ["Crème", "brûlée"]),
        ("cre\u0300me", ["creme"], ["cre\u0300me"]),
        ("ﬁnd", ["f"], ["ﬁ"]),
        ("한국", ["\u1112"], ["한"]),
        ("soup 🥣!", ["🥣"], ["🥣"]),
        ("aaa", ["aa", "a"], ["aa", "a"]),
        ("nothing", ["x"], []),
    ],
)
def test_folded_words_are_found_in_a_text_as_it_is_written(text, words, marked):
    assert [text[start:end] for start, end in find_folded(text, words)] == marked
