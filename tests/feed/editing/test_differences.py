"""The history of a post marks what each edit added and removed."""

import re
import time
from html import unescape

import pytest
from django.test import Client

from feed.publishing.reads import mark_changes
from socialsite.web.rich_text import rich_text
from tests.conftest import post
from tests.feed.editing.edits import edit
from tests.web.html import Html

WORDS = re.compile(r'<span class="visually-hidden">[^<]*</span>|<a [^>]*>|</a>')


def marked(*texts: str) -> list[str]:
    """Oldest first, with `[-removed-]` and `{+added+}`."""
    shown = mark_changes([rich_text(text) for text in reversed(texts)])
    signs = {"<del>": "[-", "</del>": "-]", "<ins>": "{+", "</ins>": "+}"}
    plain = [WORDS.sub("", text) for text in reversed(shown)]
    return [unescape(re.sub("|".join(signs), lambda found: signs[found[0]], one)) for one in plain]


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        ("I bake rye.", "I bake wheat.", "I bake [-rye.-]{+wheat.+}"),
        ("I bake rye", "I often bake rye", "I {+often +}bake rye"),
        ("I often bake rye", "I bake rye", "I [-often -]bake rye"),
        ("One\n\nTwo", "One\n\nTwo\n\nThree", "One\n\n[-Two-]{+Two\n\nThree+}"),
        ("a b c d", "a x c y", "a [-b -]{+x +}c [-d-]{+y+}"),
        ("今天吃面包。", "今天吃米饭。", "今天吃[-面包-]{+米饭+}。"),
        ("1 < 2 & 'so'", "1 < 3 & 'so'", "1 < [-2 -]{+3 +}& 'so'"),
        ("", "One", "{+One+}"),
        ("One", "", "[-One-]"),
        ("One", "One", "One"),
    ],
)
def test_words_that_were_added_and_removed_are_marked(before, now, shown):
    assert marked(before, now) == [before, shown]


def test_a_link_is_one_word_and_stays_a_link():
    before, now = (rich_text(f"See https://example.org/{one} #tea") for one in "ab")
    [shown, _] = mark_changes([now, before])
    links = re.findall(r"<(?:del|ins)>.*?</(?:del|ins)>", shown)
    assert [re.search('href="(.*?)"', one)[1] for one in links] == [
        "https://example.org/a",
        "https://example.org/b",
    ]
    assert shown.endswith('<a href="/tags/tea">#tea</a>')


def test_every_text_is_whole_without_what_was_removed():
    texts = ["One two three", "Two three 四五六", '一二三 < > & "\n\n x', "One", "x" * 900]
    for text, shown in zip(texts, marked(*texts), strict=True):
        assert re.sub(r"\[-.*?-\]|\{\+|\+\}", "", shown, flags=re.DOTALL) == text


def test_fifty_texts_without_a_word_in_common_are_shown_within_a_second():
    texts = ["".join(f"{n}{chr(97 + k % 7)} " for n in range(k % 2, 300)) for k in range(50)]
    began = time.process_time()
    shown = marked(*texts)
    assert time.process_time() - began < 1
    assert all("[-" in one and "{+" in one for one in shown[1:])


def test_the_page_says_it_to_readers_of_the_screen_too(alice):
    post_id = post(alice, "I bake rye with @alice")
    edit(alice, post_id, "I bake wheat with @alice")
    page = Html(Client().get(f"/@alice/posts/{post_id}/history"))
    assert [one.text for one in page.all("del")] == ["Removed: rye"]
    assert [one.text for one in page.all("ins")] == ["Added: wheat"]
    assert len(page.all("a", href=f"/@alice?id={alice.user_id}")) == 2
