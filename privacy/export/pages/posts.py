"""The pages of posts: one for each month, in the person's time zone."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from accounts.cards import moment_text
from privacy.export.fields import Record
from privacy.export.pages.words import word_of
from socialsite.web.rich_text import rich_text


def months_of(
    posts: Iterable[Record], *, site: str
) -> Iterator[tuple[datetime, list[Mapping[str, Any]]]]:
    """Yields the first moment of each month with its posts as templates show them, the oldest first. The posts come in
    the order of time."""
    for _, group in groupby(posts, key=lambda post: _moment(post).strftime("%Y-%m")):
        found = list(group)
        yield _moment(found[0]), [_card(post, site) for post in found]


def text_html(text: str, *, site: str, mentions: Mapping[str, str] | None = None) -> SafeString:
    """Returns a text as HTML, with links that lead to the site from anywhere."""
    html = rich_text(text, mentions)
    # People's own texts are escaped, so that this only meets what `rich_text` wrote.
    return mark_safe(html.replace('href="/', f'href="{site}/'))  # noqa: S308


def _moment(post: Record) -> datetime:
    return timezone.localtime(datetime.fromisoformat(post["published_at"]))


def _card(post: Record, site: str) -> Mapping[str, Any]:
    versions = [
        {
            "when": moment_text(one["written_at"]),
            "warning": one["warning"],
            "html": text_html(one["text"], site=site),
        }
        for one in post["earlier_versions"]
    ]
    return {
        **post,
        "when": moment_text(post["published_at"]),
        "edited": moment_text(post["edited_at"]),
        "html": text_html(post["text"], site=site, mentions=post["mentions"]),
        "versions": versions,
        "for_whom": post["circle"] or word_of(post["audience"]),
        "is_hidden": post["withheld"] and gettext("Only you can see this"),
    }
