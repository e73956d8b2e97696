"""Muting a word, changing how it is muted, and ending that. Only the person's own items are written, and nobody else
learns of it."""

from collections.abc import Callable, Iterable, Iterator

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from relations.muted_words.models import MutedWords
from relations.muted_words.reads import read_mutes
from relations.muted_words.words import MOST_WORDS, MutedWord, Mutes, needle_of
from socialsite.table import (
    MOST_BYTES,
    Change,
    Create,
    Delete,
    Moved,
    TableError,
    WriteAction,
    access_pattern,
    ids,
    item_size,
    keys,
    transact,
    write_optimistically,
)

Words = list[MutedWord]


class TooManyWords(TableError):
    """The person mutes as many words as they can."""


class TooLongTogether(TableError):
    """All the words do not fit into one item."""


@access_pattern
def mute_word(*, by: Viewer, word: MutedWord, was: str = "") -> None:
    """Mutes a word from the next page on; one that is muted already, or is another spelling of it, is now muted as this
    one says. It takes the place of the word `was`, if that is still muted. Safe to repeat, and what another window
    wrote stays. Raises `TooManyWords`, `TooLongTogether`, `Conflict`.

    One consistent BatchGetItem of one key, 1 read unit, and one TransactWriteItems of the words and of their version in
    UserSettings: 4 write units, up to 10 with a hundred words. In all 10 write units and 1 read unit.
    """
    replaced = {word.needle, needle_of(was)}

    def with_it(words: Words) -> Words:
        others = [one for one in words if one.needle not in replaced]
        if len(others) >= MOST_WORDS:
            raise TooManyWords
        return [*others, word]

    _change(by, with_it)


@access_pattern
def unmute_word(*, by: Viewer, word: str) -> None:
    """Ends that a word is muted. Safe to repeat. The calls of `mute_word`. In all 10 write units and 1 read unit."""
    ended = needle_of(word)
    _change(by, lambda words: [one for one in words if one.needle != ended])


def _change(by: Viewer, edit: Callable[[Words], Words]) -> None:
    """Writes the words as `edit` returns them, from those that are not over; nothing if they are the same."""

    def attempt() -> None:
        mutes = read_mutes(by)
        old = list(mutes.in_force())
        new = edit(old)
        if _stored(new) != _stored(mutes.words):
            transact(*_actions(by.user_id, mutes, new))

    write_optimistically(attempt)


def _actions(user_id: str, mutes: Mutes, words: Words) -> Iterator[WriteAction]:
    key, version = keys.muted_words(user_id), ids.new_id()
    is_as_read = MutedWords.muted_version == mutes.version
    item = MutedWords.new(user_id=user_id, version=version, words=_stored(words))
    if item_size(item.serialize()) > MOST_BYTES:
        raise TooLongTogether
    if not words:
        yield Delete(key, is_as_read, otherwise=Moved)
    elif mutes.version:
        to = [MutedWords.muted_words.set(_stored(words)), MutedWords.muted_version.set(version)]
        yield Change(MutedWords, key, to, is_as_read, otherwise=Moved)
    else:
        yield Create(item, otherwise=Moved)
    noted = (
        UserSettings.muted_version.set(version) if words else UserSettings.muted_version.remove()
    )
    yield Change(UserSettings, keys.user_settings(user_id), [noted])


def _stored(words: Iterable[MutedWord]) -> dict[str, str]:
    return {one.word: one.code for one in words}
