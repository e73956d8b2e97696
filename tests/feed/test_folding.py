"""Which posts are folded: what takes more than about 12 lines, on a phone or everywhere."""

import pytest
from django.test import Client

from feed.cards.words import Fold, fold_of
from tests.conftest import post
from tests.moderation.restricting import mark_sensitive
from tests.web.html import Html

LONG = "\n".join(f"Line {number}" for number in range(20))


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("Hello", Fold.NEVER),
        ("a\n" * 11 + "a", Fold.NEVER),
        ("a\n" * 12 + "a", Fold.ALWAYS),
        (LONG, Fold.ALWAYS),
        ("word " * 80, Fold.NEVER),
        ("word " * 100, Fold.NARROW),
        ("陈" * 200, Fold.NEVER),
        ("陈" * 300, Fold.NARROW),
        ("陈" * 500, Fold.ALWAYS),
        ("word " * 60 + "\na" * 6, Fold.NARROW),
        ("", Fold.NEVER),
    ],
)
def test_a_text_is_folded_by_the_lines_that_it_takes(text, fold):
    assert fold_of(text) == fold


@pytest.mark.parametrize("path", ["/@alice", "/local"])
def test_a_long_post_is_folded_in_lists(alice, drain_stream, path):
    post(alice, LONG)
    post(alice, "Short")
    drain_stream()
    html = Html(Client().get(path))
    assert len(html.all("details", class_="fold")) == 1
    assert html.one("details", class_="fold").text.split() == ["Show", "more", "Show", "less"]


def test_it_is_never_folded_on_its_own_page(alice):
    post_id = post(alice, LONG)
    assert not Html(Client().get(f"/@alice/posts/{post_id}")).all("details", class_="fold")


def test_a_sensitive_post_is_folded_behind_its_cover_too(alice):
    post_id = post(alice, LONG)
    mark_sensitive(alice, post_id)
    assert Html(Client().get("/@alice")).all("details", class_="fold")
    assert not Html(Client().get(f"/@alice/posts/{post_id}")).all("details", class_="fold")
