"""The pages about building blocks break no rule of axe-core, are never too wide, and their diagrams are named.

They are pages of one kind: each run looks at a third of them, and with `FAULTS=long` at all."""

import pytest
from playwright.sync_api import expect

from feed.likes.writes import like_post
from lens.concepts.blocks import CONCEPTS
from relations.follows.writes import follow
from tests.conftest import post
from tests.injected.rotation import share
from tests.relations.relations import befriend

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture(autouse=True)
def debug_mode(settings) -> None:
    settings.DEBUG = True


def test_no_page_breaks_a_rule_on_any_screen(signed_in, alice, bob, drain_stream, look):
    befriend(alice, bob)
    follow(by=alice, user_id=bob.user_id)
    liked = post(bob, "Hello")
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    drain_stream()
    page = signed_in(alice)
    problems = []
    for name, concept in share(CONCEPTS.items(), one_of=3, salt="concepts"):
        page.goto(f"/dev/concepts/{name}")
        expect(page.get_by_role("img", name=f"{concept.title}: keys")).to_be_visible()
        problems += look(page)
    page.goto("/dev/concepts")
    assert problems + look(page) == []
