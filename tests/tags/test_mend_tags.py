"""What reconcile mends of tags after stream records were lost."""

from feed.posts.models import Post
from feed.publishing.writes import delete_post
from socialsite.table import fetch, keys, query, write_batch
from tags.checks import mend_tags
from tags.models import tag_items
from tests.conftest import post
from tests.tags.tagged import found_tags, under


def mend(author, tag: str = "cats") -> None:
    posts = list(query(keys.posts(author.user_id)))
    mend_tags(posts, list(query(keys.tagged_posts(tag))))


def test_a_post_that_was_never_listed_is(alice):
    post_id = post(alice, "#cats")
    mend(alice)
    assert (under("cats"), found_tags("ca")) == ([post_id], ["cats"])


def test_a_tag_that_is_not_found_is_found_again(alice, drain_stream):
    post(alice, "#cats")
    drain_stream()
    write_batch(deletes=[keys.tag_use("cats")])
    mend(alice)
    assert found_tags("ca") == ["cats"]


def test_an_entry_of_a_post_that_is_gone_goes(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    entries = fetch([keys.tag_entry("cats", post_id, alice.user_id)]).values()
    delete_post(by=alice, post_id=post_id)
    mend_tags([], list(entries))
    assert under("cats") == found_tags("ca") == []


def test_an_entry_under_a_tag_as_it_was_once_cut_moves_to_the_whole_tag(alice):
    post_id = post(alice, "#il·lusió")
    (raw,) = query(keys.posts(alice.user_id))
    write_batch(puts=tag_items(Post.from_raw_data(raw), ["il"]))
    mend(alice, "il")
    assert (under("il"), under("il·lusió")) == ([], [post_id])


def test_what_is_right_stays(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    mend(alice)
    assert under("cats") == [post_id]
