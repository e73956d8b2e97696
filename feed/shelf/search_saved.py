"""Finding saved posts by their words: in the post, in its author's name, or in the note."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from accounts.viewer import Viewer
from feed.models import SavedPost
from feed.searching.looking import Found, Searched, look_through
from feed.searching.marking import mark_in
from feed.searching.texts import texts_of
from feed.searching.words import fit, words_of
from feed.shelf.saved_posts import Saved, scope_of, show_saved
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem
from socialsite.table.row import row

LOOKED_AT = 200  # saved posts for one page: each takes the reading of its post and author


@access_pattern
def search_saved_posts(
    viewer: Viewer, text: str, *, folder_id: str = "", cursor: str | None = None
) -> Found[Saved]:
    """Returns saved posts that have all words of a text, newest post first. Looks at 200 saved posts, so a page may be
    short or empty and still go on.

    One Query of the shelf, 0.5 read units per 4 KB. For each 50 looked at one BatchGetItem of posts and authors, at
    most 50 read units, and one of at most 5 keys a post for each 20 that fit. It ends with the 20th that is shown. What
    the viewer may no longer see is found by its note alone, so that a search tells nothing of it. Raises `BadCursor`.
    """
    words = words_of(text)

    def show(raws: Sequence[RawItem]) -> list[Saved]:
        found = show_saved(raws, viewer)
        return [_marked(one, words) for one in found if one.post or fit(words, [one.note])]

    saved = Searched(
        keys.shelf(viewer.user_id),
        scope_of(viewer, folder_id),
        LOOKED_AT,
        _say,
        show,
        keys.saved_bounds(folder_id),
    )
    return look_through(saved, words, cursor=cursor)


def _say(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, list[str]]]:
    for raw, texts in texts_of(raws):
        yield raw, [row(SavedPost, raw).note or "", *texts]


def _marked(one: Saved, words: Sequence[str]) -> Saved:
    return replace(one, post=mark_in(one.post, words)) if one.post else one
