"""What must hold for the index of words once the stream worker has caught up, and how it is put right, while people go
on posting. The same makes the index of a site that had none (`manage.py reconcile`, `manage.py index_posts`)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from accounts.models import UserInfo
from feed.posts.models import Post
from finding.models import WordEntry, WordUse
from finding.writes import all_words, day_of, entry_keys, lets_find, settle_words, word_items
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.table import Item, Key, RawItem, fetch, key_of, keys, row, write_batch

Pair = tuple[str, str]  # of word and post


@must_hold
@dataclass
class WordInvariants:
    """Give it every item with `add`, then ask for `results`."""

    expected: dict[Pair, str] = field(default_factory=dict)  # with the words that the entry names
    authors: dict[str, str] = field(default_factory=dict)  # of posts
    entries: dict[Pair, str] = field(default_factory=dict)
    hidden: dict[str, str] = field(
        default_factory=dict
    )  # of authors: posts before this id are not found
    left_out: dict[str, str] = field(
        default_factory=dict
    )  # of words: the last day with posts left out

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.authors[item.post_id] = item.author_id
                self.expected |= {(one.word, item.post_id): one.words for one in word_items(item)}
            case WordEntry():
                if item.ttl > utc_now():
                    self.entries[item.word, item.post_id] = item.words
            case UserInfo():
                edge = chr(0x10FFFF) if item.not_searched else item.archived_before
                self.hidden[item.user_id] = edge or ""
            case WordUse():
                self.left_out[item.word] = item.left_out or ""

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. Posts that were left out under a common word are none."""
        expected = {pair: words for pair, words in self.expected.items() if self._is_found(pair)}
        missing = {
            (word, post_id)
            for word, post_id in expected.keys() - self.entries.keys()
            if day_of(post_id) > self.left_out.get(word, "")
        }
        return {
            "every public post stands under its words, and nothing else does": sorted(
                f"{word}: {post_id}"
                for word, post_id in missing | (self.entries.keys() - expected.keys())
            ),
            "every entry of a word names all words of its post": sorted(
                f"{pair[0]}: {pair[1]}"
                for pair, words in expected.items()
                if self.entries.get(pair, words) != words
            ),
        }

    def _is_found(self, pair: Pair) -> bool:
        author = self.authors[pair[1]]
        return author in self.hidden and pair[1] >= self.hidden[author]


def mend_words(posts: Sequence[RawItem], entries: Sequence[RawItem]) -> int:
    """Enters these posts under their words, takes away entries whose posts do not stand there, and returns how many
    were wrong. Safe beside the worker.

    Consistent BatchGetItems of the authors, of what `settle_words` takes, and of the posts of the entries;
    BatchWriteItems of what differs. Posts and authors are read again afterwards: what changed meanwhile has its entries
    as they must be now, whatever the worker did before or after.
    """
    return _enter(posts) + _clear(entries)


def _enter(posts: Sequence[RawItem]) -> int:
    authors = _authors_of(posts)
    wrong = settle_words(posts, authors)
    now = fetch(map(key_of, posts), consistent=True)
    authors_now = _authors_of(posts)
    for raw in posts:
        if now.get(key_of(raw)) != raw or _is_found(raw, authors) != _is_found(raw, authors_now):
            _enter_again(raw, now.get(key_of(raw)), authors_now)
    return wrong


def _enter_again(before: RawItem, now: RawItem | None, authors: dict[str, RawItem]) -> None:
    """Settles a post that changed, or whose author chose otherwise, while it was being entered."""
    old, new = row(Post, before), word_items(row(Post, now)) if now else []
    write_batch(deletes=entry_keys(old, {*all_words(old)} - {item.word for item in new}))
    if now:
        settle_words([now], authors)


def _clear(entries: Sequence[RawItem]) -> int:
    stored = [row(WordEntry, raw) for raw in entries]
    posts = _posts_of(stored)
    authors = _authors_of(list(posts.values()))
    gone = []
    for one in stored:
        raw = posts.get(keys.post(one.author_id, one.post_id))
        is_listed = raw is not None and _is_found(raw, authors)
        words = {item.word for item in word_items(row(Post, raw))} if raw and is_listed else set()
        if one.word not in words:
            gone.append(one)
    write_batch(deletes=[keys.word_entry(one.word, one.post_id, one.author_id) for one in gone])
    again = list(_posts_of(gone).values())  # which may have the word by now
    settle_words(again, _authors_of(again))
    return len(gone)


def _authors_of(posts: Sequence[RawItem]) -> dict[str, RawItem]:
    author_ids = {row(Post, raw).author_id for raw in posts}
    found = fetch(map(keys.user_info, author_ids), consistent=True)
    return {row(UserInfo, raw).user_id: raw for raw in found.values()}


def _posts_of(entries: Sequence[WordEntry]) -> dict[Key, RawItem]:
    return fetch({keys.post(one.author_id, one.post_id) for one in entries}, consistent=True)


def _is_found(raw: RawItem, authors: dict[str, RawItem]) -> bool:
    post = row(Post, raw)
    return lets_find(authors.get(post.author_id), post.post_id)
