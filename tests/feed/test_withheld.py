"""A post that waits for a moderator, or was hidden by one: its author alone sees it, and why; it does not count."""

import pytest

from accounts.models import UserCount
from accounts.people.reads import get_user_info
from feed.likes.writes import like_post
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post
from socialsite.table import change, keys, query
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.restricting import withhold
from tests.web.html import Html

SAYS = {
    Withheld.HELD: "Waiting for review. Only you can see it.",
    Withheld.HIDDEN: "Hidden by a moderator. Only you can see it.",
}
every_reason = pytest.mark.parametrize("why", Withheld)


def count_of(viewer) -> int | None:
    return get_user_info(viewer.user_id).posts


def take_out_of_view(author, post_id: str, why: Withheld) -> None:
    """With the count, as the decision does it."""
    withhold(author, post_id, why)
    change(UserCount, keys.user_count(author.user_id), [UserCount.posts.add(-1)])


@every_reason
@pytest.mark.parametrize("path", ["/", "/local", "/@bob", "/@bob/posts/{post}"])
def test_its_author_reads_why_nobody_else_sees_it(bob, log_in, drain_stream, why, path):
    post_id = post(bob, "My own words")
    drain_stream()
    withhold(bob, post_id, why)
    html = Html(log_in(bob).get(path.format(post=post_id)))
    card = html.one(id=f"post-{post_id}")
    assert SAYS[why] in card.text
    assert "My own words" in card.text
    assert html.one("a", class_="post-withheld")["href"] == "/standing"


@every_reason
def test_there_is_nothing_to_like_about_it(bob, log_in, why):
    post_id = post(bob)
    withhold(bob, post_id, why)
    assert not Html(log_in(bob).get("/@bob")).all(class_="post-actions")


@every_reason
def test_a_like_of_before_is_kept(alice, bob, why, drain_stream):
    post_id = post(bob)
    like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    withhold(bob, post_id, why)
    drain_stream()
    assert len(list(query(keys.likes(post_id)))) == 1


@every_reason
def test_the_count_of_a_profile_is_without_it(alice, bob, log_in, drain_stream, why):
    post(bob)
    take_out_of_view(bob, post(bob), why)
    drain_stream()
    counts = [count.text for count in Html(log_in(alice).get("/@bob")).all("b")]
    assert counts[0] == "1"
    assert broken_invariants() == {}


@every_reason
def test_deleting_it_keeps_the_count(bob, why, drain_stream):
    kept, gone = post(bob), post(bob)
    take_out_of_view(bob, gone, why)
    for _ in range(2):
        delete_post(by=bob, post_id=gone)
    drain_stream()
    assert count_of(bob) == 1
    assert [raw["post_id"]["S"] for raw in query(keys.posts(bob.user_id))] == [kept]
    assert broken_invariants() == {}


def test_a_count_that_has_it_breaks_an_invariant(bob, drain_stream):
    withhold(bob, post(bob))
    drain_stream()
    assert list(broken_invariants()) == ["post counts equal posts"]


@every_reason
def test_its_author_deletes_it_on_its_page(bob, log_in, why):
    post_id = post(bob)
    take_out_of_view(bob, post_id, why)
    browser = log_in(bob)
    assert browser.get(f"/@bob/posts/{post_id}/delete").status_code == 200
    assert browser.post(f"/@bob/posts/{post_id}/delete").status_code == 302
    assert count_of(bob) == 0
