"""Someone's muted words: for pages, which read them with their posts, and for the page on which they are chosen.

`UserSettings.muted_version`, which comes with the viewer, says whether they have any, and which. Each process keeps the
words of the last people that it saw, ready to compare, and takes them only in the version that the viewer came with. So
it never shows old ones, and most pages read nothing.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping

from accounts.people.viewer import Viewer
from relations.muted_words.models import MutedWords
from relations.muted_words.words import NO_MUTES, Mutes
from socialsite.process_state import kept_by_process
from socialsite.table import Key, RawItem, access_pattern, fetch, keys, row

MOST_KEPT = 1000  # people, about 20 KB each with a hundred words

_kept: OrderedDict[str, Mutes] = OrderedDict()
_lock = threading.Lock()


@kept_by_process
def forget_muted_words() -> None:
    """Forgets what this process keeps."""
    with _lock:
        _kept.clear()


def muted_keys(viewer: Viewer) -> list[Key]:
    """Returns what a page must read with its posts, to be given to `mutes_of`: nothing for people without muted words,
    nor where this process has them; otherwise one key, 0.5 read units."""
    if not viewer.muted_version or _find(viewer):
        return []
    return [keys.muted_words(viewer.user_id)]


def mutes_of(viewer: Viewer, found: Mapping[Key, RawItem]) -> Mutes:
    """Returns the muted words of the viewer, from the items of a page that read `muted_keys`.

    Where those that were read are not of the viewer's version, somebody changed them in between, and they are read
    once more: a consistent BatchGetItem of one key, 1 read unit.
    """
    if not viewer.muted_version:
        return NO_MUTES
    if kept := _find(viewer):
        return kept
    raw = found.get(keys.muted_words(viewer.user_id))
    if raw is None or row(MutedWords, raw).muted_version != viewer.muted_version:
        return read_mutes(viewer)
    return _keep(viewer, mutes_from_raw(raw))


@access_pattern
def read_mutes(viewer: Viewer) -> Mutes:
    """Returns the muted words of the viewer as they are at this moment, also those that are over.

    One consistent BatchGetItem of one key, 1 read unit.
    """
    key = keys.muted_words(viewer.user_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        _keep(viewer, Mutes(viewer.muted_version))  # nobody gets this version again
        return NO_MUTES
    return _keep(viewer, mutes_from_raw(raw))


def mutes_from_raw(raw: RawItem) -> Mutes:
    """Returns the words of a raw `MutedWords`, also those that are over."""
    stored = {word: code["S"] for word, code in raw["muted_words"]["M"].items()}
    return Mutes.from_map(row(MutedWords, raw).muted_version, stored)


def _find(viewer: Viewer) -> Mutes | None:
    with _lock:
        kept = _kept.get(viewer.user_id)
        if kept:
            _kept.move_to_end(viewer.user_id)
    return kept if kept and kept.version == viewer.muted_version else None


def _keep(viewer: Viewer, mutes: Mutes) -> Mutes:
    with _lock:
        _kept[viewer.user_id] = mutes
        _kept.move_to_end(viewer.user_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return mutes
