"""What the author's level limits in posts: links and photos a day, and the people whom one post mentions. The counters
are those of `socialsite/web/limits.py`, one for each person and day, written in the transaction of the post. A level
without limits costs nothing. Staff have none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.utils.translation import gettext

from accounts.people.cards import next_level
from accounts.people.viewer import Viewer
from feed.posts.content_checks import Refused
from feed.posts.models import Post
from socialsite.site_settings.levels import LevelSetup, links_text, mentions_text, photos_text
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import TableError, Upsert
from socialsite.texts import find, mentioned_handles
from socialsite.web.limits import Limit, hit, hits_so_far, next_window
from socialsite.web.preferences import full_date

A_DAY = 86_400
LINKS, PHOTOS = "level-links", "level-photos"


class LevelReached(Refused):
    """The author's level allows no more of this today. The sentence says until when."""


class _Reached(TableError):
    """A counter would pass its limit."""


class _LinksReached(_Reached):
    """That of links."""


class _PhotosReached(_Reached):
    """That of photos."""


def level_hits(by: Viewer, posts: Sequence[Post]) -> list[Upsert]:
    """Returns what counts the links and photos of new posts. Raises `LevelReached` for more than ever fit into a day,
    and for too many mentions."""
    level = _level_of(by)
    if level is None:
        return []
    with told_of_level(by):
        for post in posts:
            _may_mention(by, post.content)
        links = sum(links_in(post.content) for post in posts)
        photos = sum(len(post.photos or ()) for post in posts)
        return [
            *_hit(by, LINKS, level.links, links, _LinksReached),
            *_hit(by, PHOTOS, level.photos, photos, _PhotosReached),
        ]


def more_links(by: Viewer, post: Post, content: str) -> list[Upsert]:
    """Returns what counts the links that an edit adds to a post, as `level_hits` does."""
    level = _level_of(by)
    if level is None:
        return []
    with told_of_level(by):
        _may_mention(by, content)
        added = links_in(content) - links_in(post.content)
        return list(_hit(by, LINKS, level.links, added, _LinksReached))


def links_left(by: Viewer) -> int | None:
    """Returns how many more links the author's level allows today, None for any number. One consistent BatchGetItem, 1
    read unit, where it limits them."""
    level = _level_of(by)
    if level is None or level.links is None:
        return None
    return max(0, level.links - hits_so_far(Limit(LINKS, level.links, A_DAY), by.user_id))


def hit_links(by: Viewer, links: int, *, otherwise: type[TableError]) -> list[Upsert]:
    """Returns what counts so many links of posts that were brought from elsewhere."""
    level = _level_of(by)
    return list(_hit(by, LINKS, level.links, links, otherwise)) if level else []


@contextmanager
def told_of_level(by: Viewer) -> Iterator[None]:
    """Turns a counter at its limit into a sentence for the form."""
    try:
        yield
    except _Reached as error:
        level = _level_of(by)
        assert level is not None
        is_links = isinstance(error, _LinksReached)
        most = (level.links if is_links else level.photos) or 0
        said = links_text(most) if is_links else photos_text(most)
        again = gettext("You can post more from %(moment)s on.") % {
            "moment": full_date(next_window(Limit(LINKS, most, A_DAY)))
        }
        raise _refused(by, f"{said} {again}") from error


def _refused(by: Viewer, sentence: str) -> LevelReached:
    way_on = next_level(by.card) if by.card else ""
    return LevelReached(f"{sentence} {way_on}".strip())


def _level_of(by: Viewer) -> LevelSetup | None:
    if by.card is None or by.is_staff:
        return None
    return site_rules().level_of(by.card.level)


def _hit(
    by: Viewer, kind: str, most: int | None, times: int, otherwise: type[TableError]
) -> Iterator[Upsert]:
    if most is None or times <= 0:
        return
    if times > most:
        raise otherwise
    yield hit(Limit(kind, most, A_DAY), by.user_id, otherwise=otherwise, times=times)


def _may_mention(by: Viewer, content: str) -> None:
    level = _level_of(by)
    if level is None or level.mentions is None:
        return
    if len(mentioned_handles(content)) > level.mentions:
        raise _refused(by, mentions_text(level.mentions))


def links_in(text: str) -> int:
    return sum(1 for found in find(text) if found.host)
