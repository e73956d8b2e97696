"""Long threads: pages that lose nothing, a loud branch that drowns nobody, and what a page costs."""

import pytest

from feed.threads.branches import Branch
from feed.threads.reading import Conversation, get_conversation
from tests.conftest import person, post
from tests.feed.answers import answer


def shown(found: Conversation) -> list[str]:
    """The ids of the replies on a page, from top to bottom."""
    seen: list[str] = []
    waiting: list[Branch] = list(found.branches)
    while waiting:
        branch = waiting.pop(0)
        seen += [node.post_id for node in branch.chain]
        waiting = [*branch.branches, *waiting]
    return seen


def pages(root: str, author, viewer) -> list[list[str]]:
    read, cursor = [], None
    while True:
        found = get_conversation(root, author.user_id, viewer=viewer, cursor=cursor)
        read.append(shown(found))
        cursor = found.next_cursor
        if not cursor:
            return read


@pytest.mark.parametrize("people", [2, 40], ids=["of two people", "of forty people"])
def test_a_thread_of_200_replies_is_read_page_by_page_and_loses_none(alice, people):
    root = post(alice)
    fans = [person(f"fan_{number}") for number in range(people)]
    replies = [answer(fans[number % people], alice, root) for number in range(200)]
    read = pages(root, alice, alice)
    assert [one for page in read for one in page] == replies
    assert max(map(len, read)) <= 50
    assert min(map(len, read[:-1])) >= 20


def test_a_page_of_a_long_thread_is_two_queries_and_two_batches(alice, bob, measure):
    root = post(alice)
    for _ in range(60):
        answer(bob, alice, root)
    with measure() as meter:
        get_conversation(root, alice.user_id, viewer=alice)
    operations = [call.operation for call in meter.calls]
    assert sorted(operations) == ["BatchGetItem", "BatchGetItem", "Query", "Query"]


def test_a_loud_branch_leaves_room_for_the_next_and_leads_to_its_rest(alice, bob, carol):
    root = post(alice)
    loud = last = answer(bob, alice, root)
    for _ in range(60):
        last = answer(bob, bob, last)
    quiet = answer(carol, alice, root)
    found = get_conversation(root, alice.user_id, viewer=alice)
    assert shown(found)[-1] == quiet
    assert len(shown(found)) == 11
    assert found.branches[0].chain[-1].more_url == f"/@bob/posts/{loud}"
