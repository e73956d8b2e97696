"""The words of a search are marked in what was found, as they are written there."""

import pytest

from feed.cards.reads import get_post
from feed.searching import MOST_MARKS, mark_in
from socialsite.texts.folding import find_folded
from tests.conftest import post


def test_words_are_marked_in_the_text_and_nowhere_else(alice):
    post_id = post(alice, "Café & <café> https://cafe.example/cafe #cafe")
    card = get_post(post_id, alice.user_id, viewer=alice)
    marked = str(mark_in(card, ["cafe"]).html)
    assert marked.replace("<mark>", "").replace("</mark>", "") == str(card.html)
    assert marked.startswith("<mark>Café</mark> &amp; &lt;<mark>café</mark>&gt; <a href=")
    assert 'href="https://cafe.example/cafe"' in marked
    assert "><mark>cafe</mark>.example/cafe</a> #" in marked.replace('<a href="/tags/cafe">', "")
    assert marked.count("<mark>") == MOST_MARKS


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("Crème brûlée", ["brulee", "creme"], ["Crème", "brûlée"]),
        ("cre\u0300me", ["creme"], ["cre\u0300me"]),
        ("ﬁnd", ["f"], ["ﬁ"]),
        ("한국", ["\u1112"], ["한"]),
        ("soup 🥣!", ["🥣"], ["🥣"]),
        ("aaa", ["aa", "a"], ["aa", "a"]),
        ("nothing", ["x"], []),
    ],
)
def test_folded_words_are_found_in_a_text_as_it_is_written(text, words, marked):
    assert [text[start:end] for start, end in find_folded(text, words)] == marked
