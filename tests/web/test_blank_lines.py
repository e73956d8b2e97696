"""However many blank lines someone sends, one in a row is kept: in posts, and in every field of many lines."""

import pytest
from django.core.exceptions import ValidationError

from feed.posts.models import Post
from socialsite.table import keys, query
from socialsite.web.fields import PlainTextField


def cleaned(text: str) -> str:
    return PlainTextField(max_characters=500, multiline=True, required=False).clean(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\n" * 3, "a\na\na"),
        ("a\n\nb", "a\n\nb"),
        ("a\n\n\nb", "a\n\nb"),
        ("a" + "\n" * 450 + "b", "a\n\nb"),
        ("a" + "\r\n" * 450 + "b", "a\n\nb"),
        ("a" + "\r" * 9 + "b", "a\n\nb"),
        ("a" + "\u2028" * 9 + "b", "a\n\nb"),
        ("a" + "\u2029\u0085" * 9 + "b", "a\n\nb"),
        ("a" + "\n \n\t\n\u3000\n\u00a0" * 9 + "\nb", "a\n\nb"),
        ("a" + "\n\u200b\n\u2800\n\u3164\n\u00ad" * 9 + "\nb", "a\n\nb"),
        ("a\n\n\n\nb\n\n\n\nc", "a\n\nb\n\nc"),
        ("\n\n\na\n\n\n", "a"),
        ("  indented\n  twice", "indented\n  twice"),
        ("a\n\n\n🫨\n\n\n-\n", "a\n\n🫨\n\n-"),
        (" \n \n ", ""),
        ("", ""),
    ],
)
def test_one_blank_line_in_a_row_is_kept(text, kept):
    assert cleaned(text) == kept


def test_what_is_too_long_is_still_refused_before_it_is_looked_at():
    with pytest.raises(ValidationError):
        cleaned("\n" * 100_000)


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb"])
def test_a_field_of_one_line_takes_no_other(text):
    with pytest.raises(ValidationError):
        PlainTextField(max_characters=50).clean(text)


def test_a_post_is_published_without_them(alice, log_in):
    form = {"content": "Up" + "\r\n" * 300 + "down", "nonce": "n" * 22}
    assert log_in(alice).post("/posts", form).status_code == 302
    (stored,) = query(keys.posts(alice.user_id))
    assert Post.from_raw_data(stored).content == "Up\n\ndown"


def test_a_bio_is_saved_without_them(alice, log_in):
    browser = log_in(alice)
    browser.post("/settings/profile", {"name": "A", "bio": "Up" + "\r\n" * 40 + "down"})
    assert "Up\n\ndown" in browser.get("/@alice").content.decode()
