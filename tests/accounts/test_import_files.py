"""Files that cannot be used: each is refused beside its field, before anything is kept."""

import gzip
import io
import zipfile

import pytest

from accounts.csv_files import LONGEST_LINE, MOST_BYTES, MOST_ROWS, FileKind, read_file
from accounts.imports import list_imports
from tests.web.html import Html


def packed() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.csv", b"bob\n" * 1_000_000)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf\n\n , \n", "nobody"),
        (b"Account address,Show boosts\n", "nobody"),
        ("müller".encode("latin-1"), "UTF-8"),
        ("bob".encode("utf-16"), "UTF-8"),
        (b"bob\n\x00carol", "UTF-8"),
        (packed(), "UTF-8"),
        (gzip.compress(b"bob\n" * 1_000_000), "UTF-8"),
        (b'"bob\ncarol', "CSV"),
        (b'"bob"x,carol', "CSV"),
        (b"x" * (LONGEST_LINE + 1), "too long"),
        (b"bob\n" * (MOST_ROWS + 1), "5,000"),
        (b"\n" * MOST_BYTES + b"bob", "1 MB"),
        (b"Account address,Hide notifications\nbob,true", "Mutes"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_odd_file_is_refused_beside_its_field(alice, send_list, content, said):
    response = send_list(alice, "following_accounts", content)
    assert response.status_code == 422
    assert said in Html(response).error("file")
    assert "checked" in Html(response).one("input", value="following_accounts").attributes
    assert not list_imports(alice)


def test_a_list_of_follows_is_not_taken_for_one_of_blocks(alice, bob, send_list):
    text = "Account address,Show boosts\nbob,true"
    response = send_list(alice, "blocked_accounts", text)
    assert "Choose “Follows”" in Html(response).error("file")


@pytest.mark.parametrize("form", [{}, {"kind": "passwords"}, {"kind": "lists"}])
def test_a_form_without_its_parts_is_said(alice, log_in, form):
    response = log_in(alice).post("/settings/data", form)
    assert response.status_code == 422
    assert Html(response).error("file") == "Choose a file."
    if form.get("kind") != "lists":
        assert Html(response).error("kind") == "Choose what the file is a list of."


def test_many_blank_lines_are_no_rows():
    assert len(read_file(FileKind.FOLLOWS, b"\n" * 10_000 + b"bob")) == 1


def test_lines_end_as_they_do_anywhere_and_nowhere_else():
    found = read_file(FileKind.CIRCLES, "a\u2028b,bob\rc,bob\nd,bob\r\n".encode())
    assert [row.circle for row in found] == ["a\u2028b", "c", "d"]
