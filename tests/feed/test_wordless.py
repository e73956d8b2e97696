"""A post that carries something else needs no words; every other post does."""

from collections.abc import Mapping
from typing import Any

from feed.composing.forms import PostForm
from feed.posts.content_checks import words_of
from feed.publishing.forms import TextForm, WordlessForm

NONCE = "n" * 22


class CarryingForm(WordlessForm, TextForm):
    """A part of the composer that says something without words."""

    def carries(self, values: Mapping[str, Any]) -> bool:
        return True


def test_a_post_that_carries_nothing_needs_words():
    form = PostForm({"content": " ", "nonce": NONCE})
    assert form.errors == {"content": ["Write something first."]}


def test_a_post_that_carries_something_needs_none():
    form = CarryingForm({"content": " ", "nonce": NONCE})
    assert form.is_valid()
    assert form.cleaned_data["content"] == ""


def test_a_text_that_is_refused_is_refused_once():
    form = PostForm({"content": "x" * 1001, "nonce": NONCE})
    assert len(form.errors["content"]) == 1
    assert "up to 1000" in form.errors["content"][0]


def test_word_filters_meet_all_texts_of_a_post():
    assert words_of("", "", "a description") == "a description"
    assert words_of("text", "warning", "one", "two") == "warning\ntext\none\ntwo"
