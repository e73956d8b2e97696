"""What the composer asks for while someone types: at most eight people or tags."""

import pytest

from relations.blocks.writes import block
from relations.follows.writes import follow
from tags.reads import complete
from tests.conftest import person, post
from tests.web.html import Html


def texts(typed: str, viewer) -> list[str]:
    return [one.text for one in complete(typed, viewer=viewer)]


def test_people_whom_one_follows_come_first(alice, drain_stream):
    others = [person(f"otto{number}") for number in range(4)]
    follow(by=alice, user_id=others[2].user_id)
    drain_stream()
    assert texts("@ot", alice) == ["@otto2", "@otto0", "@otto1", "@otto3"]


def test_at_most_eight(alice, drain_stream):
    for number in range(9):
        person(f"otto{number}")
    post(alice, " ".join(f"#tag{number}" for number in range(9)))
    drain_stream()
    assert len(texts("@ot", alice)) == len(texts("#tag", alice)) == 8


def test_people_are_found_by_a_word_of_their_name_and_written_as_their_handle(
    alice, bob, drain_stream
):
    drain_stream()
    assert texts("@bran", alice) == ["@bob"]


def test_nobody_is_suggested_whom_a_block_hides(alice, bob, drain_stream):
    block(by=bob, user_id=alice.user_id)
    drain_stream()
    assert texts("@bo", alice) == []


@pytest.mark.parametrize("typed", ["", "@", "#", "bo", "cats", "@ ", "#-", "&bo"])
def test_anything_else_finds_nothing(alice, bob, drain_stream, typed):
    post(bob, "#cats")
    drain_stream()
    assert texts(typed, alice) == []


def test_the_answer_is_options_or_nothing(alice, bob, log_in, drain_stream):
    post(bob, "#Cats")
    drain_stream()
    browser = log_in(alice)
    for typed, text in (
        ("%23ca", "#cats"),
        ("%EF%BC%83CA", "#cats"),
        ("@bo", "@bob"),
        ("＠bo", "@bob"),
    ):
        option = Html(browser.get(f"/complete?q={typed}")).one("li")
        assert option["data-text"] == text
    assert browser.get("/complete?q=@zz").status_code == 204
    assert browser.get("/complete").status_code == 204
