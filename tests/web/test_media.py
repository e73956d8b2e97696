"""Uploads are served as pictures and as nothing else, and only under names that the site made."""

import io

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from socialsite.table.ids import new_id

BYTES = b"RIFF\x00\x00\x00\x00WEBPVP8 "


@pytest.fixture
def name(settings, tmp_path, table) -> str:
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "secret.txt").write_text("what nobody may read")
    wanted = f"avatars/{new_id()}.webp"
    default_storage.save(wanted, io.BytesIO(BYTES))
    return wanted


def test_a_picture_is_served_as_a_picture_and_nothing_else(name):
    response = Client().get(f"/media/{name}")
    assert b"".join(response.streaming_content) == BYTES
    assert response["Content-Type"] == "image/webp"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_a_picture_never_changes_and_is_kept(name):
    assert "immutable" in Client().get(f"/media/{name}")["Cache-Control"]


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "avatars/",
        "../secret.txt",
        "avatars/../../secret.txt",
        "..%2fsecret.txt",
        "avatars/%2e%2e/%2e%2e/secret.txt",
        "/etc/passwd",
        "avatars/{id}.webp%00",
        "avatars/{id}.webp%0A",
        "avatars/{id}.WEBP",
        "avatars/{id}.html",
        "avatars/{id}",
        "Avatars/{id}.webp",
        "avatars//{id}.webp",
        "avatars/x/{id}.webp",
        "avatars/{lower}.webp",
        "avatars/{other}.webp",
        "headers/{id}.webp",
        "headers/{id}-750.webp%0A",
        "headers/{id}-96.webp",
    ],
)
def test_odd_names_are_not_found(name, odd):
    known = name.removeprefix("avatars/").removesuffix(".webp")
    path = odd.format(id=known, lower=known.lower(), other=new_id())
    response = Client().get(f"/media/{path}")
    assert response.status_code == 404
    assert b"what nobody may read" not in response.content


def test_a_file_of_another_kind_in_the_folder_is_not_served(name):
    default_storage.save("avatars/page.html", io.BytesIO(b"<script>alert(1)</script>"))
    assert Client().get("/media/avatars/page.html").status_code == 404


def test_the_folder_is_not_listed(name):
    assert Client().get("/media/").status_code == 404
    assert Client().get("/media/avatars").status_code == 404
