"""What tests about tags share."""

from django.test import Client

from socialsite.table import keys, query
from tests.web.html import Html


def under(tag: str) -> list[str]:
    """The ids of the posts that the table lists under a tag, newest first."""
    return [raw["post_id"]["S"] for raw in query(keys.tagged_posts(tag), forward=False)]


def found_tags(beginning: str) -> list[str]:
    return [raw["tag"]["S"] for raw in query(keys.tag_index(beginning))]


def shown(browser: Client, tag: str = "cats") -> list[str]:
    """The ids of the posts on the page of a tag."""
    return Html(browser.get(f"/tags/{tag}")).post_ids()
