"""Posts and replies of a person in two tabs, however many of the one lie between the others."""

import pytest

from feed.likes.writes import like_post
from feed.posts.models import Reply
from feed.profiles.reads import list_posts, list_replies
from relations.blocks.writes import block
from socialsite import keys
from socialsite.table import reading
from tests.conftest import post
from tests.feed.answers import answer
from tests.web.html import Html


@pytest.fixture
def written(alice, bob, monkeypatch) -> dict[str, list[str]]:
    """Bob's posts and replies, newest first, with many replies in a row; five are looked at for a page."""
    monkeypatch.setattr("feed.profiles.reads.LOOKED_AT", 5)
    root = post(alice)
    posts, replies = [post(bob)], []
    for number in range(13):
        replies.append(answer(bob, alice, root))
        if number in (3, 4):
            posts.append(post(bob))
    return {"posts": posts[::-1], "replies": replies[::-1]}


@pytest.mark.parametrize(("tab", "pages_of"), [("posts", list_posts), ("replies", list_replies)])
def test_no_page_loses_or_repeats_any(bob, written, tab, pages_of):
    seen, cursors, cursor = [], [], None
    while True:
        page = pages_of(bob.card, cursor=cursor)
        seen += [card.post_id for card in page.items]
        if not page.next_cursor:
            break
        cursor = page.next_cursor
        cursors.append(cursor)
    assert seen == written[tab]
    assert cursors
    back = page
    while back.previous_cursor:
        back = pages_of(bob.card, cursor=back.previous_cursor)
    assert [card.post_id for card in back.items] == written[tab][: len(back.items)]


def test_the_copy_of_a_reply_knows_whom_it_mentions(alice, bob, carol):
    root = post(alice)
    first = answer(bob, alice, root, "Ask @carol about it")
    place = reading.get(Reply, keys.reply_place(root, first), consistent=True)
    assert place.mentions.as_dict() == {"carol": carol.user_id}


def test_people_see_the_posts_they_like_newest_first(alice, bob, log_in):
    liked = [post(bob, f"Number {number}") for number in range(3)]
    for post_id in liked[:2]:
        like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    page = Html(log_in(alice).get("/@alice/likes"))
    assert page.post_ids() == [liked[1], liked[0]]
    assert page.one("a", href="/@alice/likes")["aria-current"] == "page"


def test_a_liked_post_that_may_no_longer_be_seen_is_left_out(alice, bob, log_in):
    liked = post(bob)
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    block(by=bob, user_id=alice.user_id)
    assert Html(log_in(alice).get("/@alice/likes")).post_ids() == []


def test_nobody_sees_what_others_like(alice, bob, log_in):
    assert log_in(bob).get("/@alice/likes").status_code == 404
    assert not Html(log_in(bob).get("/@alice")).all("a", href="/@alice/likes")
