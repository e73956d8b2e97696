"""Two edits, or an edit and something else, at the same moment: one comes first, and nothing is lost."""

from functools import partial

import pytest

from accounts.people.reads import get_user_info
from feed.posts.models import Withheld
from feed.publishing.changes import CannotEdit, EditedMeanwhile, edit_post
from feed.publishing.writes import delete_post
from socialsite.table import NotFound
from tests.conftest import post
from tests.feed.answers import answer
from tests.feed.editing.edits import broken, edit, stored
from tests.moderation.restricting import withhold
from tests.together import together


def attempt(by, post_id: str, content: str) -> str:
    try:
        edit_post(by=by, post_id=post_id, content=content, version=1)
    except EditedMeanwhile:
        return ""
    return content


@pytest.mark.parametrize("is_reply", [False, True], ids=["post", "reply"])
def test_of_many_edits_of_one_version_one_is_taken(alice, bob, is_reply):
    post_id = answer(alice, bob, post(bob)) if is_reply else post(alice)
    texts = [f"Text {number}" for number in range(6)]
    taken = [
        one for one in together(*(partial(attempt, alice, post_id, text) for text in texts)) if one
    ]
    assert len(taken) == 1
    assert stored(alice, post_id).content == taken[0]
    assert stored(alice, post_id).version == 2
    assert not broken()


def between(monkeypatch, act) -> None:
    """What another does after the edit has read the post, and before it writes."""
    import feed.publishing.changes as service

    done: list[bool] = []
    transact = service.transact

    def late(*actions, **rest):
        if not done:
            done.append(True)
            act()
        transact(*actions, **rest)

    monkeypatch.setattr(service, "transact", late)


def test_an_edit_that_a_moderator_overtakes_is_refused(alice, monkeypatch):
    post_id = post(alice, "Hello")
    between(monkeypatch, lambda: withhold(alice, post_id, Withheld.HIDDEN))
    with pytest.raises(CannotEdit):
        edit(alice, post_id, "Nothing to see", 1)
    assert stored(alice, post_id).content == "Hello"


def test_an_edit_that_a_deletion_overtakes_finds_nothing(alice, monkeypatch, drain_stream):
    post_id = post(alice, "Hello")
    between(monkeypatch, lambda: delete_post(by=alice, post_id=post_id))
    with pytest.raises(NotFound):
        edit(alice, post_id, "Back", 1)
    drain_stream()
    assert get_user_info(alice.user_id).posts == 0
    assert not broken()
