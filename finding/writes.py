"""Entering a post under its words, and taking it away. Whether an author lets the search find their posts is asked
here, and again by every read."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from itertools import accumulate

from django.conf import settings

from accounts.models import UserInfo
from feed.polls.models import said_by
from feed.posts.models import Post
from feed.posts.reads import answers_another, listed_tags, pointer_of_post
from finding.models import WordEntry, WordUse
from finding.words import MOST_WORDS, words_in
from socialsite.clock import utc_now
from socialsite.process_state import kept_by_process
from socialsite.table import Key, RawItem, fetch, ids, keys, row, write_batch
from tags.models import end_of_listing

NOTED = 500  # posts of one word and day, after which the worker notes its use again
MOST_A_DAY = 2_000  # posts of a day that one word has in the index
MOST_REMEMBERED = 100_000  # words of a day in a process
BYTES_OF_WORDS, BYTES_OF_TAGS = 500, 150  # in an entry


def is_public(post: Post) -> bool:
    """Whether search may find a post: it is for everyone, seen by others, and no answer to somebody else."""
    return not (post.audience or post.withheld or answers_another(post))


def texts_of(post: Post) -> tuple[str, str]:
    """Returns what a search compares of a post: its text with the answers of its poll, and its content warning."""
    return said_by(post), post.warning or ""


def all_words(post: Post) -> list[str]:
    """Returns the words of a post that the index can have, whomever it is for: the first sixty, or as many as let an
    entry stay small."""
    return _that_fit(words_in("\n".join(texts_of(post)))[:MOST_WORDS], BYTES_OF_WORDS)


def _that_fit(words: Sequence[str], most: int) -> list[str]:
    sizes = accumulate(len(word.encode()) + 1 for word in words)
    return [word for word, size in zip(words, sizes, strict=True) if size <= most]


def word_items(post: Post | None) -> list[WordEntry]:
    """Returns the entries of a public post under its words, none of another one, and none once they would have
    expired."""
    if post is None or not is_public(post) or end_of_listing(post) <= utc_now():
        return []
    words, tags = all_words(post), _that_fit(sorted(listed_tags(post)), BYTES_OF_TAGS)
    pointer, lang, end = pointer_of_post(post), (post.lang or "").lower(), end_of_listing(post)
    return [
        WordEntry.new(word=word, words=words, tags=tags, lang=lang, pointer=pointer, ttl=end)
        for word in words
    ]


def lets_find(author: RawItem | None, post_id: str) -> bool:
    """Whether the author of a post lets others find it here: it is not older than what they keep for followers, and
    they did not switch it off. `author` is a raw `UserInfo`."""
    if author is None:
        return False
    info = row(UserInfo, author)
    return not info.not_searched and post_id >= info.archived_before


def enter_words(items: Sequence[WordEntry], *, standing: Collection[str] = ()) -> None:
    """Puts entries, but for new ones of words that too many posts of today have; those of `standing` words stay listed.
    BatchWriteItems of 25, 1 write unit each, and for each 500 posts of a word what `_note` takes. Safe to repeat: it
    puts by key."""
    common = _uses.count(item.word for item in items if item.word not in standing)
    write_batch(puts=[one for one in items if one.word in standing or one.word not in common])


def leave_words(post: Post, words: Iterable[str]) -> None:
    """Takes a post away from words. BatchWriteItems of 25, 1 write unit each. Safe to repeat: it deletes by key."""
    write_batch(deletes=entry_keys(post, words))


def entry_keys(post: Post, words: Iterable[str]) -> list[Key]:
    return [keys.word_entry(word, post.post_id, post.author_id) for word in words]


@dataclass
class _Uses:
    """How many posts of today this process entered under each word, and the words that have too many."""

    day: str = ""
    posts: Counter[str] = field(default_factory=Counter)
    common: set[str] = field(default_factory=set)

    def count(self, words: Iterable[str]) -> set[str]:
        """Counts a post under its words, and returns the words of today under which no more are entered."""
        today = utc_now().date().isoformat()
        if self.day != today:
            self.day, self.posts, self.common = today, Counter(), set()
        for word in words:
            if word in self.common:
                continue
            self.posts[word] += 1
            if self.posts[word] % NOTED == 0 and _note(word, today) >= MOST_A_DAY:
                self.common.add(word)
        if len(self.posts) > MOST_REMEMBERED:  # which of them are far from common is forgotten
            frequent = Counter(dict(self.posts.most_common(MOST_REMEMBERED // 10)))
            self.posts = frequent
        return self.common


_uses = _Uses()


@kept_by_process
def _forget() -> None:
    _uses.day = ""


def _note(word: str, day: str) -> int:
    """Notes that 500 more posts of a day have a word, and returns how many. A consistent BatchGetItem, 1 read unit, and
    1 write unit. Two workers who note at once may lose one of both: the word is found to be common a little later."""
    use = row(WordUse, _use(word))
    posts = NOTED + (int(use.entered) if use.day == day else 0)
    left_out = day if posts >= MOST_A_DAY else use.left_out
    end = utc_now() + timedelta(days=settings.TAG_DAYS)
    write_batch(puts=[WordUse.new(word=word, day=day, posts=posts, left_out=left_out, ttl=end)])
    return posts


def _use(word: str) -> RawItem:
    key = keys.word_use(word)
    return fetch([key], consistent=True).get(key, {})


def settle_words(raws: Sequence[RawItem], author_infos: dict[str, RawItem]) -> int:
    """Enters these posts under their words, or takes them away from all if they may not be found, and returns how many
    entries were wrong. `raws` are posts, `author_infos` the raw `UserInfo` of their authors by their ids.

    Consistent BatchGetItems of the entries and, where some are missing, of the uses of those words, 1 read unit each,
    and BatchWriteItems of what differs. Where a word has left out posts, those of these days are not entered later.
    Safe to repeat.
    """
    wanted: dict[Key, WordEntry] = {}
    unwanted: list[Key] = []
    for raw in raws:
        post = row(Post, raw)
        is_found = lets_find(author_infos.get(post.author_id), post.post_id)
        items = word_items(post) if is_found else []
        wanted |= {item.key: item for item in items}
        if not items:
            unwanted += entry_keys(post, all_words(post))
    found = fetch([*wanted, *unwanted], consistent=True)
    missing = [item for key, item in wanted.items() if _differs(found.get(key), item)]
    uses = fetch({keys.word_use(item.word) for item in missing}, consistent=True)
    puts = [
        item
        for item in missing
        if item.key in found or not was_left_out(item.post_id, uses.get(keys.word_use(item.word)))
    ]
    gone = [key for key in unwanted if key in found]
    write_batch(puts=puts, deletes=gone)
    return len(puts) + len(gone)


def was_left_out(post_id: str, use: RawItem | None) -> bool:
    """Whether a word may not have a post because it had too many. `use` is its raw `WordUse`, if there is one."""
    return use is not None and day_of(post_id) <= (row(WordUse, use).left_out or "")


def day_of(post_id: str) -> str:
    return ids.time_of(post_id).astimezone(UTC).date().isoformat()


def _differs(stored: RawItem | None, wanted: WordEntry) -> bool:
    if stored is None:
        return True
    entry = row(WordEntry, stored)
    return entry.words != wanted.words or entry.lang != (wanted.lang or "")
