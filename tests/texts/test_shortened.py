"""Texts that are shortened for lists: no character is cut in two, and no direction mark reaches beyond them."""

import pytest
from django.template import Context, Template

from socialsite.texts.shortened import initial, shortened, shortened_to_bytes

FAMILY, FLAG = "👩‍👩‍👧", "🇩🇪"


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("one two", 7, "one two"),
        ("one two", 5, "one…"),
        (FAMILY * 5, 3, FAMILY * 2 + "…"),
        (FLAG * 5, 3, FLAG * 2 + "…"),
        ("\u2067אבגד\u2069 x", 4, "אב…"),
        ("a\u2069b", 9, "ab"),
        ("a\nb", 9, "a\nb"),
        ("", 9, ""),
    ],
)  # fmt: skip
def test_what_is_left_of_a_text(text, most, kept):
    assert shortened(text, most) == kept


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcdef", 5, "ab…"),
        (FLAG * 5, 20, FLAG * 2 + "…"),
        ("\u2067אבגד\u2069", 10, "אב…"),
        ("abc", 0, "…"),
    ],
)  # fmt: skip
def test_what_is_left_in_so_many_bytes(text, most, kept):
    assert shortened_to_bytes(text, most) == kept


@pytest.mark.parametrize(
    ("name", "letter"),
    [("Alice", "A"), (f"{FLAG} Bob", FLAG), ("\u2067נור\u2069", "נ"), ("é", "é"), ("", "")],
)
def test_the_initial_of_a_name_is_what_is_seen_of_it_first(name, letter):
    assert initial(name) == letter


def test_the_text_of_html_is_not_cut_inside_a_sign():
    template = Template("{% load site %}{{ html|plain_text|shortened:4 }}")
    assert template.render(Context({"html": "<p>a &amp; b</p>"})) == "a &amp;…"
    assert template.render(Context({"html": "<p>a&lt;b</p>"})) == "a&lt;b"
