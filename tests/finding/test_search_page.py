"""The page of the search: the best of everything, a tab for each kind, and what it says where it found nothing."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.likes.writes import like_post
from feed.posts.models import Audience
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import Part
from finding import reads
from relations.blocks.writes import block, mute
from socialsite.table import ids
from tests.conftest import HTMX, person, post, publish_post
from tests.feed.scenes import end_now, quoted_by
from tests.finding.test_finding_posts import found
from tests.moderation.cases import HIDDEN, restrict, withhold
from tests.web.html import Html

embedded = pytest.mark.engines("embedded", reason="looks at the page, which no engine changes")


def search(browser: Client, **asked: str) -> Html:
    answer = browser.get("/search", asked)
    assert answer.status_code == 200
    return Html(answer)


def titles(page: Html) -> list[str]:
    return [title.text for title in page.all("h2", class_="section-title")]


def tags(page: Html) -> list[str]:
    return [link["href"] for link in page.all("a", class_="chip")]


@pytest.fixture
def some(alice, bob, carol, drain_stream) -> str:
    """A post of Bob's, with a word, a tag, and people whose names begin like the word."""
    post_id = post(bob, "Bread for everyone, with #butter")
    post(carol, "No crumbs today")
    person("breadmaker", "Ada Lo")
    drain_stream()
    return post_id


@pytest.mark.parametrize("who", ["member", "visitor"])
def test_a_word_finds_people_tags_and_posts_on_one_page(some, alice, drain_stream, log_in, who):
    tagged = post(alice, "#breadcrumbs")
    drain_stream()
    page = search(log_in(alice) if who == "member" else Client(), q="bread")
    assert titles(page) == ["People", "Tags", "Posts"]
    assert page.handles() == ["breadmaker"]
    assert tags(page) == ["/tags/breadcrumbs"]
    assert page.post_ids() == [some]
    assert [mark.text for mark in page.all("mark")] == ["Bread"]
    assert search(Client(), q="breadcrumbs").post_ids() == [tagged]


def test_a_tag_finds_itself_and_the_posts_that_have_it(some):
    page = search(Client(), q="#butter")
    assert tags(page) == ["/tags/butter"]
    assert page.post_ids() == [some]


@pytest.mark.parametrize("typed", ["@bob", "＠Bob"])
def test_a_handle_finds_the_person_and_what_they_post(some, typed):
    page = search(Client(), q=typed)
    assert page.handles() == ["bob"]
    assert page.post_ids() == [some]
    assert search(Client(), q=typed, tab="posts").post_ids() == [some]
    assert search(Client(), q=f"{typed} crumbs").post_ids() == []


def test_the_beginning_of_a_handle_finds_the_person_alone(some):
    page = search(Client(), q="@bo")
    assert (page.handles(), page.post_ids()) == (["bob"], [])


@pytest.mark.parametrize(
    "typed", ["from:bob bread", '"bread for"', "bread -crumbs", "bread lang:de"]
)
def test_what_says_more_than_words_finds_posts_alone(some, typed):
    page = search(Client(), q=typed)
    assert (page.handles(), tags(page)) == ([], [])
    assert page.post_ids() == ([] if "lang" in typed else [some])


@pytest.mark.parametrize("tab", ["", "people", "posts", "tags"])
@pytest.mark.parametrize("who", ["member", "visitor"])
def test_the_tabs_keep_what_was_typed(some, alice, log_in, who, tab):
    page = search(log_in(alice) if who == "member" else Client(), q="bread & butter", tab=tab)
    links = [
        link for link in page.all("a") if link.attributes.get("href", "").startswith("/search?")
    ]
    (here,) = [
        link
        for link in links
        if "aria-current" in link.attributes and "chip" not in str(link.attributes)
    ]
    assert here["href"] == f"/search?{f'tab={tab}&' if tab else ''}q=bread%20%26%20butter"
    assert page.value("q") == "bread & butter"
    names = ["All", "People", "Posts", "Tags", "Your posts", "Liked", "Saved"]
    shown = [link.text for link in links if "class" not in link.attributes]
    assert shown == (names if who == "member" else names[:4])


def test_a_tab_shows_its_kind_alone(some):
    assert search(Client(), q="bread", tab="people").handles() == ["breadmaker"]
    assert search(Client(), q="bread", tab="people").post_ids() == []
    assert tags(search(Client(), q="but", tab="tags")) == ["/tags/butter"]
    assert search(Client(), q="bread", tab="posts").post_ids() == [some]
    assert search(Client(), q="bread", tab="nonsense").post_ids() == [some]


def test_typing_gets_what_was_found_alone_and_says_how_much(some):
    fragment = Html(Client().get("/search?q=bread", headers=HTMX))
    assert fragment.one(id="found-says").text == "2 results"
    assert not fragment.all("html")


@embedded
@pytest.mark.parametrize(
    ("typed", "tab", "says"),
    [
        ("", "", "Find people and tags by the start of their names"),
        ("the", "posts", "“the” is too common to search for."),
        ("the", "", "“the” is too common to search for."),
        ("zzz", "", "We couldn’t find “zzz”."),
        ("zzz", "people", "We couldn’t find “zzz”."),
        ("zzz", "posts", "We couldn’t find “zzz” in posts."),
        ("zzz", "tags", "No tag of the last 90 days starts with “zzz”."),
        ("from:nobody x", "posts", "Nobody here has the handle @nobody."),
        ("from:nobody", "", "Nobody here has the handle @nobody."),
        ("-bread", "posts", "Write at least one word"),
        ("soup before:soon", "posts", "“soon” is no day."),
        ("from:bob from:carol", "posts", "posts of one person at a time"),
        ("bread", "posts", "Posts older than 90 days, replies"),
        ("from:bob", "posts", "Replies, reposts, and posts of people"),
        ("from:bob zzz", "posts", "We couldn’t find “from:bob zzz”. Replies, reposts"),
        ("zzz", "posts", "Posts older than 90 days, replies"),
        ("#z", "tags", "Type at least two letters of a tag."),
    ],
)
def test_what_was_not_found_or_not_looked_at_is_said(some, typed, tab, says):
    assert says in search(Client(), q=typed, tab=tab).one(id="found").text


def test_nothing_most_liked_is_said_as_nothing_is(some):
    page = search(Client(), q="zzz", tab="posts", by="likes")
    assert "We couldn’t find “zzz” in posts." in page.one(id="found").text


def test_many_posts_come_page_by_page_and_back(alice, drain_stream):
    newest_first = [post(alice, f"soup number {number}") for number in range(45)][::-1]
    drain_stream()
    first = search(Client(), q="soup", tab="posts")
    second = Html(Client().get(first.link("next")))
    third = Html(Client().get(second.link("next")))
    seen = [*first.post_ids(), *second.post_ids(), *third.post_ids()]
    assert seen == newest_first
    assert first.one("a", rel="next").text == "Older posts"
    assert not third.all("a", rel="next")
    fragment = Html(Client().get(first.link("next"), headers=HTMX))
    assert fragment.post_ids() == second.post_ids()
    assert not fragment.all(id="found")
    assert len(search(Client(), q="soup").post_ids()) == 5
    wrong = first.link("next").replace("q=soup", "q=soups")
    assert Client().get(wrong).status_code == 400


@pytest.mark.parametrize("tab", ["", "posts"])
def test_a_page_that_looked_at_many_says_how_far_and_goes_on(alice, drain_stream, monkeypatch, tab):
    monkeypatch.setattr(reads, "LOOKED_AT", 5)
    both = post(alice, "aubergine soup")
    for number in range(6):
        post(alice, f"aubergine {number}")
    drain_stream()
    page = search(Client(), q="aubergine soup", tab=tab)
    assert page.post_ids() == []
    if tab:
        assert "Searched 5 posts, back to" in page.one(id="feed").text
        assert Html(Client().get(page.link("next"))).post_ids() == [both]
    else:
        assert "Older posts were not searched." in page.one(id="found").text
        assert page.all("a", href="/search?tab=posts&q=aubergine%20soup", class_="button")


def test_the_most_liked_come_first_when_asked(alice, bob, carol, drain_stream):
    posts = [post(alice, f"soup and salad {number}") for number in range(3)]
    for fan, liked in ((bob, posts[0]), (carol, posts[0]), (bob, posts[1])):
        like_post(by=fan, post_id=liked, author_id=alice.user_id)
    drain_stream()
    for typed in ("soup", "soup salad", "from:alice soup"):
        assert search(Client(), q=typed, tab="posts").post_ids() == posts[::-1]
        page = search(Client(), q=typed, tab="posts", by="likes")
        assert page.post_ids() == [posts[0], posts[1], posts[2]]
        assert "The most liked of the newest 3 posts that fit." in page.one(id="feed").text


@pytest.mark.parametrize("tab", ["", "posts"])
@pytest.mark.parametrize("how", ["suspended", "limited", *HIDDEN, "hidden", "closed", "over"])
def test_who_or_what_may_not_be_found_is_not_at_the_next_request(
    alice, bob, log_in, drain_stream, tab, how
):
    mine = publish_post(by=bob, content="Soup", nonce="n", expires_in="1w")
    drain_stream()
    browsers = [Client(), log_in(alice)]
    for browser in browsers:
        assert search(browser, q="soup", tab=tab).post_ids() == [mine]
    match how:
        case "suspended" | "limited":
            restrict(bob, Restriction(how))
        case "hidden":
            withhold(bob, mine)
        case "closed":
            change_audience(by=bob, post_id=mine, audience=Audience.FRIENDS)
        case "over":
            end_now(bob.user_id, mine)
        case _:
            HIDDEN[how](bob)
    for browser in browsers:
        assert search(browser, q="soup", tab=tab).post_ids() == []
        assert search(browser, q="from:bob soup", tab=tab).post_ids() == []


@pytest.mark.parametrize("tab", ["", "posts"])
def test_blocks_and_mutes_hold_at_the_next_request(alice, bob, carol, log_in, drain_stream, tab):
    mine = post(bob, "Soup with #salt")
    drain_stream()
    block(by=bob, user_id=alice.user_id)
    mute(by=carol, user_id=bob.user_id)
    for typed in ("soup", "#salt", "soup salt", "from:bob", "@bob"):
        assert search(Client(), q=typed, tab=tab).post_ids() == [mine], typed
        for browser in (log_in(alice), log_in(carol)):
            assert search(browser, q=typed, tab=tab).post_ids() == [], typed


def test_an_edited_post_is_found_by_what_it_says_now(alice, drain_stream):
    mine = post(alice, "Soup and salad")
    drain_stream()
    edit_post(by=alice, post_id=mine, content="Soup and bread", version=1)
    assert found("salad") == found("soup salad") == []
    assert found("soup") == [mine]
    drain_stream()
    assert found("salad") == []
    assert found("bread") == found("soup bread") == [mine]


def test_parts_of_stories_and_quotes_are_found_as_they_stand(alice, bob, drain_stream):
    root = publish_post(
        by=alice, content="First soup", nonce=ids.new_id(), parts=[Part("Then salad")]
    )
    drain_stream()
    (part,) = found("salad")
    assert part != root
    quoted = quoted_by(bob, alice, root, "Look: bread")
    drain_stream()
    assert found("bread") == [quoted]
    assert found("soup") == [root]


def test_a_long_post_is_not_folded_where_its_words_stand(alice, drain_stream):
    post(alice, "A line\n" * 30 + "with soup")
    drain_stream()
    page = search(Client(), q="soup", tab="posts")
    assert page.one("mark").text == "soup"
    assert not page.all("details", class_="fold")
