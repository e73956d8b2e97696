"""The posts: long enough, short enough, clean, and different from each other."""

import random
import re
import unicodedata

import pytest

from feed.publishing.forms import POST_BYTES, POST_LIMIT
from operations.demo.content import CODES, first_people, languages, threads
from operations.demo.people import SHORTEST, SLOT, TAGGED_EACH, PostWriter, compose_post

HANDLES = {person.handle for person in first_people().people}
JOINERS = {"\u200d", "\u200c", "\ufe0f"}
WRITTEN = {"en": 60, "de": 30, "zh": 30}


def check_post(text: str) -> None:
    assert len(text) <= POST_LIMIT
    assert len(text.encode()) <= POST_BYTES
    assert text == text.strip()
    assert "{" not in text
    assert "\n\n\n" not in text
    assert "  " not in text
    for sign in text:
        category = unicodedata.category(sign)
        assert sign == "\n" or sign in JOINERS or category not in ("Cc", "Cf", "Cs", "Co", "Cn")
    assert set(re.findall(r"@(\w+)", text)) <= HANDLES
    for address in re.findall(r"https?://\S+", text):
        assert address.startswith("https://example.org/")


@pytest.mark.parametrize("language", CODES)
def test_written_posts_have_the_right_size_and_number(language: str) -> None:
    posts = languages()[language].posts
    assert len(posts) >= WRITTEN.get(language, 12)
    assert len(set(posts)) == len(posts)
    for post in posts:
        check_post(post)
        assert 20 <= len(post) <= 450


@pytest.mark.parametrize("language", CODES)
def test_every_slot_of_a_grammar_has_choices(language: str) -> None:
    words = languages()[language].words
    for choices in words.values():
        assert choices
        assert len(set(choices)) == len(choices)
        assert {slot for choice in choices for slot in SLOT.findall(choice)} <= set(words)


@pytest.mark.parametrize("language", CODES)
def test_composed_posts_are_well_formed_and_mostly_distinct(language: str) -> None:
    rng = random.Random(3)
    posts = [compose_post(rng, languages()[language]) for _ in range(2_000)]
    for post in posts:
        check_post(post)
        assert len(post) >= SHORTEST
    assert len(set(posts)) > 1_300


def test_compose_post_repeats_with_the_seed() -> None:
    def compose_some(seed: int) -> list[str]:
        rng = random.Random(seed)
        return [compose_post(rng, languages()[code]) for code in ("en", "ja") for _ in range(20)]

    assert compose_some(1) == compose_some(1) != compose_some(2)


def test_post_writer_gives_own_posts_then_written_ones_then_new_ones() -> None:
    writer = PostWriter(random.Random(4))
    alice = first_people().people[0]
    own = [writer.write_post("en", alice.handle) for _ in alice.posts]
    assert tuple(own) == alice.posts
    written = [writer.write_post("en", "alice") for _ in languages()["en"].posts]
    untagged = [text.partition(" #")[0] for text in written]
    assert sorted(untagged) == sorted(one.partition(" #")[0] for one in languages()["en"].posts)
    assert len([text for text in written if "#" in text]) > len(written) // TAGGED_EACH - 5
    composed = [writer.write_post("en") for _ in range(20_000)]
    assert len(set(composed)) == len(composed)
    assert not set(composed) & set(written)


def test_post_writer_repeats_with_the_seed() -> None:
    def write_some(seed: int) -> list[str]:
        writer = PostWriter(random.Random(seed))
        return [writer.write_post(language) for language in CODES for _ in range(30)]

    assert write_some(1) == write_some(1) != write_some(2)


def test_the_first_people_have_posts_of_their_own() -> None:
    own = {person.handle: person.posts for person in first_people().people if person.posts}
    assert set(own) == {"alice", "bob", "carol", "mod"}
    for posts in own.values():
        for post in posts:
            check_post(post)


def test_threads_are_told_by_first_people_in_three_to_ten_posts() -> None:
    assert len(threads().threads) >= 10
    for thread in threads().threads:
        assert thread.handle in HANDLES
        assert 3 <= len(thread.posts) <= 10
        for post in thread.posts:
            check_post(post)


def test_the_hot_post_is_one_and_well_formed() -> None:
    (post,) = threads().hot.posts
    assert threads().hot.handle in HANDLES
    check_post(post)
