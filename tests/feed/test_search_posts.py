"""Searching the posts one wrote, liked and saved: by their words, with bounded work, by a form that is sent."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from feed import searching
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience, LikeTrace, Post
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from feed.saved.writes import save_post
from feed.sharing.writes import repost
from feed.threads.writes import reply
from relations.blocks.writes import block
from socialsite.table import ids, write_batch
from tests.conftest import HTMX, post, publish_post
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
    assert [link.text for link in tabs] == ["People and tags", "Your posts", "Liked", "Saved"]
    form = next(form for form in html.all("form") if form.attributes.get("role") == "search")
    assert not [name for name in form.attributes if name.startswith("hx-")]
    assert (html.value("in"), html.value("q")) == (where, "no<b>")
    assert "“no<b>”" in html.one("div", class_="empty").text
    assert member.get("/search", {"in": where}).status_code == 200


def test_visitors_see_no_tabs_and_members_do_while_they_type(client, member):
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
