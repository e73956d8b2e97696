"""An edit is seen wherever the post is: in feeds, in what other sites read, among saved posts, in quotes."""

import re
import secrets

from django.test import Client

from feed.posts.models import Post
from feed.posts.reads import Pointer
from feed.saved.reads import search_saved_posts
from feed.saved.writes import save_post
from feed.sharing.writes import quote
from socialsite.table import change, keys
from tests.conftest import post
from tests.feed.editing.edits import edit
from tests.web.html import Html

FEED = "/@alice/feed.atom"


def test_a_feed_says_when_a_post_was_edited_and_has_another_etag(alice):
    post_id = post(alice, "Frist")
    before = Client().get(FEED)
    assert Client().get(FEED, headers={"If-None-Match": before["ETag"]}).status_code == 304
    edit(alice, post_id, "First")
    later = Post.edited_at.set("2031-02-03T04:05:06+00:00")
    change(Post, keys.post(alice.user_id, post_id), [later])
    after = Client().get(FEED, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    text = after.content.decode()
    assert "First" in text
    assert "Frist" not in text
    assert re.findall("<updated>(.*?)</updated>", text) == ["2031-02-03T04:05:06+00:00"] * 2
    assert "2031" not in "".join(re.findall("<published>(.*?)</published>", text))


def test_a_link_preview_has_the_new_text(alice):
    post_id = post(alice, "Frist")
    edit(alice, post_id, "First")
    page = Html(Client().get(f"/@alice/posts/{post_id}"))
    assert page.one("meta", property="og:description")["content"] == "First"


def test_a_saved_post_is_shown_and_found_by_its_new_text(alice, bob, log_in):
    post_id = post(alice, "Frist")
    save_post(by=bob, post_id=post_id, author_id=alice.user_id)
    edit(alice, post_id, "First")
    assert "First" in Html(log_in(bob).get("/saved")).one("main").text
    assert len(search_saved_posts(bob, "first").items) == 1
    assert not search_saved_posts(bob, "frist").items


def test_a_quote_shows_the_new_text_of_both(alice, bob):
    quoted = post(alice, "Frist")
    quoting = quote(
        by=bob,
        post=Pointer(quoted, alice.user_id),
        content="Se",
        nonce=secrets.token_urlsafe(16),
    )
    edit(alice, quoted, "First")
    edit(bob, quoting, "See")
    main = Html(Client().get("/@bob")).one("main").text
    assert "First" in main
    assert "See" in main
    assert "Frist" not in main
