"""Saving posts to read later: the page of saved posts, and what it shows of posts that changed since."""

import pytest

from accounts.people.restrictions import Restriction
from feed.posts.models import Audience
from feed.publishing.writes import delete_post
from feed.saved.writes import create_folder, remove_saved_post, save_post
from relations.blocks.writes import block, mute
from relations.follows.writes import follow, unfollow
from socialsite.table import key_of, keys, query
from socialsite.table.reading import scan
from tests.conftest import HTMX, post, publish_post
from tests.feed.saving import saved_ids
from tests.moderation.restricting import restrict, withhold
from tests.streams.crowd import returning
from tests.web.html import Html

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
