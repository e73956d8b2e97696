"""The item that holds what someone mutes. Shape and keys only."""

from collections.abc import Mapping
from typing import Self

from pynamodb.attributes import MapAttribute, UnicodeAttribute

from socialsite.table import Item, keys


class MutedWords(Item, discriminator="MutedWords"):
    """All muted words, phrases and tags of a person, each as they typed it, with how it is muted
    (`MutedWord.code`).

    They are read with pages, so they stay one item of at most 4 KB: half a read unit. `muted_version` is another one
    after each change. `UserSettings` has it too, which comes with the viewer: so people without muted words read
    nothing, and a process that has words of this version reads nothing either.
    """

    page = "/settings/muted-words"

    user_id = UnicodeAttribute()
    muted_version = UnicodeAttribute()
    muted_words = MapAttribute[str, str]()

    @classmethod
    def new(cls, *, user_id: str, version: str, words: Mapping[str, str]) -> Self:
        key = keys.muted_words(user_id)
        return cls(*key, user_id=user_id, muted_version=version, muted_words=dict(words))
