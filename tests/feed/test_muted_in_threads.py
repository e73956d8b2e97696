"""What muted people write in conversations is covered, and can be read all the same."""

from relations.blocks.writes import mute, unmute
from tests.conftest import post
from tests.feed.answers import answer
from tests.web.html import Html


def test_what_muted_people_reply_is_behind_a_line_that_opens(alice, bob, carol, log_in):
    root = post(alice)
    first = answer(bob, alice, root, "Loud words")
    second = answer(carol, bob, first)
    mute(by=alice, user_id=bob.user_id)
    for path in (f"/@alice/posts/{root}", f"/@carol/posts/{second}"):
        page = Html(log_in(alice).get(path))
        (covered,) = page.all("details", class_="set-aside")
        assert "open" not in covered.attributes
        assert covered.text.startswith("You’ve muted @bob")
        assert "Loud words" in covered.text
        assert page.post_ids() == [root, first, second]
        assert not Html(log_in(carol).get(path)).all("details", class_="set-aside")
    unmute(by=alice, user_id=bob.user_id)
    assert not Html(log_in(alice).get(f"/@alice/posts/{root}")).all("details", class_="set-aside")
