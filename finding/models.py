"""The inverted index: under each word the public posts that have it, and which words too many have.

All posts of a word are in one partition, which takes 1,000 writes a second. A word that each post has (a raid) would
come near that, and its list would say nothing: once it has been in `MOST_A_DAY` posts of a day, the rest of that day's
are not entered (`writes.py`), so no partition gets more than that.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from feed.posts.reads import Pointer
from socialsite.table import Item, keys

TAG = "#"  # before the tags of a post, among its words


class WordEntry(Item, discriminator="WordEntry"):
    """A pointer to a public post, under one of its words. It names all words and tags of the post in `words`, so that
    a search for several reads the list of one of them alone. That of a part of a story names the root too, that of a
    quote the quoted post. It ends 90 days after its post, or with it."""

    family = "timelines"
    page = "/@{author_id}/posts/{post_id}"

    word = UnicodeAttribute()
    words = UnicodeAttribute()
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    lang = UnicodeAttribute(null=True)
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        word: str,
        words: Sequence[str],
        tags: Sequence[str],
        lang: str,
        pointer: Pointer,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.word_entry(word, pointer.post_id, pointer.author_id),
            word=word,
            words=" ".join([*words, *(f"{TAG}{tag}" for tag in tags)]),
            post_id=pointer.post_id,
            author_id=pointer.author_id,
            lang=lang or None,
            ttl=ttl,
            root_id=pointer.root_id or None,
            root_author_id=pointer.root_author_id or None,
            reply_to_author_id=pointer.reply_to_author_id or None,
            quote_of=pointer.quote_of or None,
            quote_of_author_id=pointer.quote_of_author_id or None,
        )


class WordUse(Item, discriminator="WordUse"):
    """That a word is in very many posts: how many were entered on `day`, in steps of 500 (about: what the worker does
    twice counts twice). `left_out` is the last day of which some posts were not entered. Expires 90 days after its last
    change, with the entries."""

    family = "timelines"
    page = "/search?q={word}"

    word = UnicodeAttribute()
    day = UnicodeAttribute()
    entered = NumberAttribute()
    left_out = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, word: str, day: str, posts: int, left_out: str, ttl: datetime) -> Self:
        key = keys.word_use(word)
        return cls(*key, word=word, day=day, entered=posts, left_out=left_out or None, ttl=ttl)
