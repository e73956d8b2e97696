"""What tests of reported photos share: posts with photos, what moderators have of them, and looking at it."""

import re

from django.test import Client

from accounts.people.viewer import Viewer
from moderation.models import CasePhoto
from photos.files import PRIVATE, Place, list_copies
from socialsite.table import as_model, write_batch
from socialsite.table.reading import scan
from tests.feed.photographs import photo, post_photos
from tests.moderation.cases import about, logged, report

FILE = re.compile(r"/moderation/cases/person/\w+/photo/file\?[^\"]+|/p?m/[^\"]+")


def reported_photos(by: Viewer, author: Viewer, *descriptions: str, **how: str) -> str:
    """A post with a photo for each description, and a report of it; returns the post's id."""
    photos = [photo(author, text) for text in descriptions or ("The way home",)]
    post_id = post_photos(author, *photos, **how)
    report(by, author, post_id)
    return post_id


def case_photos() -> list[CasePhoto]:
    return [as_model(CasePhoto, raw) for raw in scan() if raw["type"]["S"] == "CasePhoto"]


def states() -> list[str]:
    return [one.state for one in case_photos()]


def copies(author: Viewer) -> int:
    return len(list_copies(author.user_id))


def source_of(one: CasePhoto) -> Place:
    return Place(one.person_id, one.photo_id, PRIVATE, one.source)


def expire(author) -> None:
    """As DynamoDB does once the term of an erased person's case is over."""
    write_batch(deletes=[raw.key for raw in case_photos() if raw.person_id == author.user_id])


def look(browser: Client, case, photo_id: str, **headers: str):
    return browser.post(f"{case.url}/photo", {"photo": photo_id}, headers=headers)


def files_in(response) -> list[str]:
    """The addresses of pictures on a page, once each."""
    found = FILE.findall(response.content.decode())
    return list(dict.fromkeys(one.replace("&amp;", "&") for one in found))


def looks() -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view photo"]


def opened(browser: Client, author, drain_stream) -> str:
    """The address of the picture of the author's one reported photo."""
    drain_stream()
    (one,) = case_photos()
    (address,) = files_in(look(browser, about(author), one.photo_id))
    return address
