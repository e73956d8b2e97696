"""Long threads: pages that lose nothing, a loud branch that drowns nobody, and what a page costs."""

import pytest
from django.test import Client

from feed.publishing.writes import delete_post
from feed.threads.reads import Branch, Conversation, get_conversation
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.web.html import Html

REST = "Show the rest of this conversation"


def shown(found: Conversation) -> list[str]:
    """The ids of the replies on a page, from top to bottom."""
    seen: list[str] = []
    waiting: list[Branch] = list(found.branches)
    while waiting:
        branch = waiting.pop(0)
        seen += [node.post_id for node in branch.chain]
        waiting = [*branch.branches, *waiting]
    return seen


def pages(root: str, author, viewer, *, back_from: str | None = None) -> list[list[str]]:
    """The replies on each page, forwards from the first one, or back from a later one to the first."""
    read, cursor = [], back_from
    while True:
        found = get_conversation(root, author.user_id, viewer=viewer, cursor=cursor)
        read.append(shown(found))
        cursor = found.previous_cursor if back_from else found.next_cursor
        if not cursor:
            return read[::-1] if back_from else read


def last_page(root: str, author) -> Conversation:
    found = get_conversation(root, author.user_id, viewer=author)
    while found.next_cursor:
        found = get_conversation(root, author.user_id, viewer=author, cursor=found.next_cursor)
    return found


def talk(root: str, author, people: list, length: int) -> list[str]:
    """A branch in which each answers the one before."""
    written, to = [root], author
    for number in range(length):
        by = people[number % len(people)]
        written.append(answer(by, to, written[-1]))
        to = by
    return written[1:]


@pytest.mark.parametrize("people", [2, 40], ids=["of two people", "of forty people"])
def test_a_thread_of_200_replies_is_read_both_ways_and_loses_none(alice, people, measure):
    root = post(alice)
    fans = [person(f"fan_{number}") for number in range(people)]
    replies = [answer(fans[number % people], alice, root) for number in range(200)]
    back_from = last_page(root, alice).previous_cursor
    for way in (None, back_from):
        with measure() as meter:
            read = pages(root, alice, alice, back_from=way)
        beyond = shown(last_page(root, alice)) if way else []
        assert [one for page in read for one in page] + beyond == replies
        assert max(map(len, read)) <= 50
        assert min(map(len, read[1:-1])) >= 20
        operations = [call.operation for call in meter.calls]
        assert operations == ["BatchGetItem", "Query", "BatchGetItem", "Query"] * len(read)


def test_a_talk_of_two_that_is_alone_goes_on_from_page_to_page(alice, bob):
    root = post(alice)
    replies = talk(root, alice, [bob, alice], 36)
    for number in range(50):  # at the greatest depth they stand beside each other
        replies.append(answer(bob if number % 2 else alice, alice, replies[35]))
    assert pages(root, alice, alice) == [replies[:50], replies[50:]]
    back_from = last_page(root, alice).previous_cursor
    assert pages(root, alice, alice, back_from=back_from) == [replies[:50]]


def test_pages_begin_and_end_with_whole_branches(alice, bob, carol):
    root = post(alice)
    branches = [talk(root, alice, [bob, carol], length) for length in [7, 7, 7, 60, *[7] * 9]]
    whole = [branch[:10] for branch in branches]
    onwards = pages(root, alice, alice)
    assert [one for page in onwards for one in page] == [one for branch in whole for one in branch]
    back_from = last_page(root, alice).previous_cursor
    back = pages(root, alice, alice, back_from=back_from)
    assert [one for page in back for one in page] == [one for page in onwards[:-1] for one in page]
    beginnings = {branch[0] for branch in branches}
    for page in [*onwards, *back]:
        assert page[0] in beginnings


def test_earlier_replies_are_a_link_that_leads_back(alice, bob):
    root = post(alice)
    replies = [answer(bob, alice, root) for _ in range(60)]
    first = Html(Client().get(f"/@alice/posts/{root}"))
    assert first.link("prev") is None
    later = Html(Client().get(first.link("next")))
    assert later.post_ids() == [root, *replies[50:]]
    back = Html(Client().get(later.link("prev")))
    assert back.post_ids() == [root, *replies[:50]]
    assert Html(Client().get(back.link("next"))).post_ids() == later.post_ids()


def test_a_loud_branch_leaves_room_for_the_next_and_leads_to_its_rest(alice, bob, carol):
    root = post(alice)
    loud = talk(root, alice, [bob], 30)
    quiet = answer(carol, alice, root)
    found = get_conversation(root, alice.user_id, viewer=alice)
    assert shown(found) == [*loud[:10], quiet]
    assert found.branches[0].chain[-1].more_url == f"/@bob/posts/{loud[0]}"


def test_the_rest_of_a_loud_branch_is_found_though_its_beginning_is_gone(alice, bob, carol):
    root = post(alice)
    loud = talk(root, alice, [bob], 30)
    quiet = answer(carol, alice, root)
    delete_post(by=bob, post_id=loud[0])
    first = Html(Client().get(f"/@alice/posts/{root}"))
    (rest,) = [link["href"] for link in first.all("a") if link.text == REST]
    assert Html(Client().get(rest)).post_ids() == [root, *loud[10:], quiet]
