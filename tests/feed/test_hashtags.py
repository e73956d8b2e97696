"""What in a text is a tag, which tags are the same, and what of them becomes a link."""

import sys
import time

import pytest

from socialsite.texts.found import LONGEST, MOST_TAGS, fold_tag, mentioned_handles, tags_in
from socialsite.web.rich_text import rich_text


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#cats", ["cats"]),
        ("I like #Cats, #CATS and #ｃａｔｓ.", ["cats"]),
        ("＃cats", ["cats"]),
        ("(#cats) «#dogs» #birds!", ["cats", "dogs", "birds"]),
        ("#año is not #ano", ["año", "ano"]),
        ("#Straße #STRASSE", ["strasse"]),
        ("#snake_case #_x", ["snake_case", "_x"]),
        ("#2026 is a year, #y2026 a tag", ["y2026"]),
        ("#１２ #٣٤", []),
        ("#हिन्दी और #தமிழ்", ["हिन्दी", "தமிழ்"]),
        ("#한국어 #日本 #Ελλάδα #ОЛЕНЬ", ["한국어", "日本", "ελλάδα", "олень"]),
        ("我喜欢#猫，也喜欢＃狗。", ["猫", "狗"]),
        ("#今天#天气很好", ["今天"]),
        ("no#tag, C# and F#", []),
        ("हिन्दी#टैग", []),
        ("# alone, ##twice, #-, #!", []),
        ("https://example.org/#top and example.org/#top", []),
        ("example.org/a?b=#c", []),
        ("&#x27;", []),
        ("\u0301#\u0301", []),
        ("#cats/#dogs", ["cats", "dogs"]),
        ("#cats-and-dogs", ["cats"]),
        ("#a#b", ["a"]),
        ("#@bob", []),
        ("#www.example.org", ["www"]),
        ("#ﷺ", []),  # folding makes words with spaces of it
        ("", []),
    ],
)
def test_what_is_a_tag(text, tags):
    assert tags_in(text) == tags


def test_a_text_has_at_most_ten_tags_and_all_are_links():
    text = " ".join(f"#tag{number}" for number in range(MOST_TAGS + 3))
    assert tags_in(text) == [f"tag{number}" for number in range(MOST_TAGS)]
    assert rich_text(text).count("<a ") == MOST_TAGS + 3


def test_a_tag_has_at_most_a_hundred_code_points_once_folded():
    assert fold_tag("a" * LONGEST)
    assert not fold_tag("a" * (LONGEST + 1))
    assert not fold_tag("ß" * (LONGEST // 2 + 1))  # each becomes two
    assert fold_tag("e\u0301" * LONGEST)  # each becomes one


def test_a_folded_tag_stays_as_it_is():
    letters = (chr(number) for number in range(sys.maxunicode + 1) if not 0xD800 <= number < 0xE000)
    folded = (fold_tag(letter) for letter in letters)
    assert not [tag for tag in folded if tag and fold_tag(tag) != tag]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("#Cats!", '<a href="/tags/cats">#Cats</a>!'),
        ("＃猫", '<a href="/tags/%E7%8C%AB">＃猫</a>'),
        ("<b>#x", '&lt;b&gt;<a href="/tags/x">#x</a>'),
        ("#x&y", '<a href="/tags/x">#x</a>&amp;y'),
        ("no#tag", "no#tag"),
        ("#x by @bob", '<a href="/tags/x">#x</a> by <a href="/@bob">@bob</a>'),
    ],
)
def test_a_tag_is_a_link_that_shows_what_was_typed(text, html):
    assert rich_text(text) == html


def test_mentions_are_found_among_tags():
    assert mentioned_handles("#x @bob #y@carol") == ["bob"]


@pytest.mark.parametrize("text", ["#" * 20_000, "#a" * 10_000, "#" + "a" * 20_000, "a#" * 10_000])
def test_tags_take_time_in_proportion_to_the_text(text):
    begun = time.thread_time()
    rich_text(text)
    assert time.thread_time() - begun < 1
