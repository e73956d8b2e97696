"""Files of a Mastodon account, as Mastodon writes them, and what happens when someone brings them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from privacy.importing.outcomes import Outcome
from privacy.importing.reads import ReportLine, TransferState, list_report, list_transfers
from privacy.importing.writes import BRING
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import as_model, keys, query
from tests.looks import due_items

PAGE = "/settings/import"
HERE = "testserver"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
ACTOR = "https://mastodon.example/users/alice"
FOLLOWERS = f"{ACTOR}/followers"
AGAIN = timedelta(minutes=2)  # after the first back-off
LONG_AGO = datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)


def note(number: int = 1, text: str = "<p>Hello from 2021</p>", **other: Any) -> dict[str, Any]:
    """Returns a Create of a Note as it stands in an `outbox.json`."""
    published = other.pop("published", f"2021-03-04T05:06:{number % 60:02}Z")
    name = f"{ACTOR}/statuses/{number}"
    thing = {
        "id": name,
        "type": "Note",
        "summary": None,
        "inReplyTo": None,
        "published": published,
        "url": f"https://mastodon.example/@alice/{number}",
        "attributedTo": ACTOR,
        "to": [PUBLIC],
        "cc": [FOLLOWERS],
        "sensitive": False,
        "content": text,
        "contentMap": {"en": text},
        "attachment": [],
        "tag": [],
        "replies": {"id": f"{name}/replies", "type": "Collection"},
    } | other
    return {
        "id": f"{name}/activity",
        "type": "Create",
        "actor": ACTOR,
        "published": published,
        "to": thing["to"],
        "cc": thing["cc"],
        "object": thing,
    }


def boost(address: str = "https://other.example/notes/7") -> dict[str, Any]:
    return {
        "id": f"{ACTOR}/statuses/9/activity",
        "type": "Announce",
        "actor": ACTOR,
        "published": "2021-03-04T05:06:07Z",
        "to": [PUBLIC],
        "object": address,
    }


def outbox(*activities: Any) -> bytes:
    return json.dumps(
        {
            "@context": "https://www.w3.org/ns/activitystreams",
            "id": "outbox.json",
            "type": "OrderedCollection",
            "totalItems": len(activities),
            "orderedItems": list(activities),
        }
    ).encode()


def following(*addresses: str) -> bytes:
    rows = [f"{one},true,false," for one in addresses]
    return "\n".join(["Account address,Show boosts,Notify on new posts,Languages", *rows]).encode()


def muted(*addresses: str) -> bytes:
    return "\n".join(
        ["Account address,Hide notifications", *(f"{a},true" for a in addresses)]
    ).encode()


def send(browser: Client, **files: bytes) -> Any:
    """Brings files, each by the name of its field."""
    uploads = {name: SimpleUploadedFile(name, content) for name, content in files.items()}
    return browser.post(PAGE, uploads)


def planned() -> list[Due]:
    """The parts of files that the clock comes to next."""
    return due_items(BRING)


def work_off(drain_stream: Callable[[], None]) -> None:
    """Lets the clock do all parts, and then the worker what follows."""
    while planned():
        do_due(utc_now() + AGAIN)
    drain_stream()


def newest(viewer: Viewer) -> TransferState:
    return list_transfers(viewer)[0]


def report_of(viewer: Viewer) -> list[ReportLine]:
    """Returns the report of the file that was brought last."""
    found = newest(viewer)
    return list_report(viewer, found.transfer_id)


def outcomes_of(viewer: Viewer) -> list[Outcome]:
    return [Outcome(one.line.outcome) for one in report_of(viewer)]


def imported_posts(viewer: Viewer) -> list[Post]:
    raws = query(keys.posts(viewer.user_id), consistent=True)
    posts = [as_model(Post, raw) for raw in raws if raw["type"]["S"] == Post.__name__]
    return [post for post in posts if post.imported]
