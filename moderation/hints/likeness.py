"""In what a post can be like others: its text, without what changes from copy to copy, and the hosts it links to. Pure
functions."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import regex
from django.conf import settings

from feed.models import Post
from feed.polls.said import said_by
from feed.verdicts import words_of
from moderation.hints.hint_ids import hint_id_of
from moderation.models import HintKind
from socialsite.hosts import normal_host
from socialsite.site.word_filters import fold_text
from socialsite.texts.found import linked_hosts, without_links

SHORTEST = 20  # bytes, so that few write the same by chance: 20 Latin letters, 7 Chinese ones
MOST_HOSTS = 3  # of a post
# Copies of a text differ in addresses, in whom they mention, and in numbers and signs.
VARIES = regex.compile(r"[^\p{L}\p{M}]+")


@dataclass(frozen=True, slots=True)
class Likeness:
    """One way in which a post is like others. `hint_id` is the same for all of them. `host` is empty for a text."""

    kind: HintKind
    hint_id: str
    host: str = ""


def likenesses(post: Post, moment: datetime) -> list[Likeness]:
    """Returns in what a post of this moment can be like others: texts of the same UTC day, and links of the same hour.
    Short texts and links to this site itself are left out."""
    said = words_of(said_by(post), post.warning or "")
    found = []
    text = VARIES.sub(" ", fold_text(without_links(said))).strip()
    if len(text.encode()) >= SHORTEST:
        found.append(Likeness(HintKind.TEXT, hint_id_of(f"{moment:%Y-%m-%d}", HintKind.TEXT, text)))
    own = normal_host(urlsplit(settings.SITE_URL).hostname or "")
    hosts = [host for host in linked_hosts(said) if host != own][:MOST_HOSTS]
    hour = f"{moment:%Y-%m-%dT%H}"
    return [
        *found,
        *(Likeness(HintKind.LINK, hint_id_of(hour, HintKind.LINK, host), host) for host in hosts),
    ]
