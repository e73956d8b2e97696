"""Writes in a browser, and what the lens then shows of them."""

import secrets

from django.test import Client

from lens.followed import FollowedItem, State, what_followed
from lens.sight import Sight, kept_of
from tests.conftest import HTMX
from tests.web.html import Html


def like(browser: Client, post_id: str, *, on: str = "1") -> Sight:
    """Bob's post is liked in a browser."""
    before = {sight.request_id for sight in kept_of(viewer_id_of(browser))}
    browser.post(f"/@bob/posts/{post_id}/like", {"on": on}, headers=HTMX)
    (sight,) = [one for one in kept_of(viewer_id_of(browser)) if one.request_id not in before]
    return sight


def publish(browser: Client, author_id: str) -> tuple[Sight, str]:
    """A post is published in a browser. Returns its id too."""
    browser.post("/posts", {"content": "Hello", "nonce": secrets.token_urlsafe(16)})
    sight = next(one for one in kept_of(author_id) if one.method == "POST")
    (written,) = [one.written for one in what_followed(sight).items if one.written.type == "Post"]
    return sight, written.values["post_id"]


def viewer_id_of(browser: Client) -> str:
    return str(browser.session["user"])


def followed_page(browser: Client, sight: Sight, query: str = "") -> Html:
    return Html(browser.get(f"/dev/lens/{sight.request_id}/followed{query}"))


def said(page: Html, sight: Sight) -> str:
    return " ".join(page.one("section", id=f"followed-{sight.request_id}").text.split())


def item_of(sight: Sight, name: str) -> FollowedItem:
    (item,) = [one for one in what_followed(sight).items if one.written.type == name]
    return item


def states(sight: Sight, name: str) -> list[State]:
    return [reading.state for reading in item_of(sight, name).readings]
