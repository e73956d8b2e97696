"""Finding saved posts by their words: in the post, in its author's name, or in the note."""

from collections.abc import Iterator, Sequence
from itertools import islice

from accounts.models import UserInfo
from accounts.viewer import Viewer
from feed.models import Post, SavedPost
from feed.shelf.saved_posts import Saved, scope_of, show_saved
from relations.spelling import fold
from socialsite.table import keys
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

LOOKED_AT = 200  # saved posts for one page
TOGETHER = 50  # of them in one BatchGetItem, each with its author


@access_pattern
def search_saved_posts(
    viewer: Viewer, text: str, *, folder_id: str = "", cursor: str | None = None
) -> Page[Saved]:
    """Returns saved posts that have all words of a text, newest post first. Looks at 200 saved posts, so a page may be
    short or empty and still go on.

    One Query of the shelf, 0.5 read units per 4 KB. For each 50 looked at one BatchGetItem of posts and authors, at
    most 50 read units, and one of at most 5 keys for each that fits. It ends with the 20th that is shown. What the
    viewer may no longer see is found by its note alone, so that a search tells nothing of it. Raises `BadCursor`.
    """
    partition, scope = keys.shelf(viewer.user_id), scope_of(viewer, folder_id)
    start = Key(partition, read_cursor(scope, cursor).sk) if cursor else None
    between = keys.saved_bounds(folder_id)
    rows = query(partition, after=start, between=between, forward=False, limit=LOOKED_AT + 1)
    raws = list(islice(rows, LOOKED_AT + 1))  # the last one only says whether there is more
    shown = list(islice(_find(raws[:LOOKED_AT], _words(text), viewer), PAGE_SIZE))
    ids = [row(SavedPost, raw).post_id for raw in raws]
    last = shown[-1].post_id if len(shown) == PAGE_SIZE else "".join(ids[:LOOKED_AT][-1:])
    place = keys.saved_post(viewer.user_id, last, folder_id).sk
    following = write_cursor(scope, Place("next", place)) if ids and last != ids[-1] else None
    return Page(shown, following, None, shown[0].post_id if shown else None)


def _find(raws: Sequence[RawItem], words: list[str], viewer: Viewer) -> Iterator[Saved]:
    """Yields what fits and may be shown, and reads no further than the caller does."""
    for first in range(0, len(raws), TOGETHER):
        some = raws[first : first + TOGETHER]
        texts = fetch(_keys_of_texts(some))
        fitting = [raw for raw in some if _fit(words, *_said(raw, texts))]
        for start in range(0, len(fitting), PAGE_SIZE):
            for one in show_saved(fitting[start : start + PAGE_SIZE], viewer):
                if one.post or _fit(words, one.note):
                    yield one


def _keys_of_texts(raws: Sequence[RawItem]) -> Iterator[Key]:
    for saved in (row(SavedPost, raw) for raw in raws):
        yield keys.post(saved.author_id, saved.post_id)
        yield keys.user_info(saved.author_id)


def _said(raw: RawItem, texts: dict[Key, RawItem]) -> tuple[str, ...]:
    saved = row(SavedPost, raw)
    post = row(Post, texts.get(keys.post(saved.author_id, saved.post_id), {}))
    author = row(UserInfo, texts.get(keys.user_info(saved.author_id), {}))
    return saved.note or "", post.content, post.warning or "", author.name, author.handle


def _fit(words: list[str], *texts: str) -> bool:
    said = " ".join(f"{fold(text)} {text.casefold()}" for text in texts)
    return all(word in said for word in words)


def _words(text: str) -> list[str]:
    """Returns the words as they are compared; a text of signs alone, such as an emoji, as it is."""
    return fold(text).split() or [text.casefold()]
