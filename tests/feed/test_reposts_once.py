"""What one page of home showed as a repost does not come again on the next ones, as long as the cursor can tell."""

from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from relations.follows.writes import follow
from tests.conftest import person, post
from tests.web.html import Html


def test_a_reposted_post_does_not_come_again_on_later_pages(
    alice, bob, carol, drain_stream, log_in
):
    reader = person("reader")
    for one in (alice, bob, carol):
        follow(by=reader, user_id=one.user_id)
    posts = [post(alice) for _ in range(65)]
    for post_id in posts:
        repost(by=bob, post=Pointer(post_id, alice.user_id))
    repost(by=carol, post=Pointer(posts[-1], alice.user_id))
    drain_stream()
    browser, address, shown = log_in(reader), "/", []
    while address:
        assert len(address) < 800
        page = Html(browser.get(address))
        shown += page.post_ids()
        address = page.link("next")
    again = {post_id for post_id in posts if shown.count(post_id) > 1}
    assert set(shown) == {*posts}
    assert again <= {*posts[60:]}  # the cursor holds sixty
    assert shown.count(posts[0]) == 1
