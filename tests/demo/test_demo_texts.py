"""The posts: long enough, short enough, clean, and different from each other."""

import random
import re
import unicodedata

import pytest

from socialsite.demo.people import first_people
from socialsite.demo.texts import (
    LANGUAGES,
    PostWriter,
    compose_post,
    language_codes,
    written_posts,
)
from socialsite.demo.texts.language import SHORTEST, SLOT, read_posts
from socialsite.demo.texts.own import OWN_POSTS
from socialsite.demo.threads import HOT_HANDLE, HOT_POST, demo_threads

HANDLES = {person.handle for person in first_people()}
JOINERS = {"\u200d", "\u200c", "\ufe0f"}
WRITTEN = {"en": 60, "de": 30, "zh": 30}


def check_post(text: str) -> None:
    assert len(text) <= 500
    assert len(text.encode()) <= 2_000
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


@pytest.mark.parametrize("language", language_codes())
def test_written_posts_have_the_right_size_and_number(language: str) -> None:
    posts = written_posts(language)
    assert len(posts) >= WRITTEN.get(language, 12)
    assert len(set(posts)) == len(posts)
    for post in posts:
        check_post(post)
        assert 20 <= len(post) <= 450


@pytest.mark.parametrize("language", language_codes())
def test_every_slot_of_a_grammar_has_choices(language: str) -> None:
    words = LANGUAGES[language].words
    for choices in words.values():
        assert choices
        assert len(set(choices)) == len(choices)
        assert {slot for choice in choices for slot in SLOT.findall(choice)} <= set(words)


@pytest.mark.parametrize("language", language_codes())
def test_composed_posts_are_well_formed_and_mostly_distinct(language: str) -> None:
    rng = random.Random(3)
    posts = [compose_post(rng, language) for _ in range(2_000)]
    for post in posts:
        check_post(post)
        assert len(post) >= SHORTEST
    assert len(set(posts)) > 1_300


def test_compose_post_repeats_with_the_seed_and_knows_unknown_languages() -> None:
    def compose_some(seed: int) -> list[str]:
        rng = random.Random(seed)
        return [compose_post(rng, language) for language in ("en", "ja", "xx") for _ in range(20)]

    assert compose_some(1) == compose_some(1) != compose_some(2)


def test_post_writer_gives_own_posts_then_written_ones_then_new_ones() -> None:
    writer = PostWriter(random.Random(4))
    own = [writer.write_post("en", "alice") for _ in OWN_POSTS["alice"]]
    assert tuple(own) == OWN_POSTS["alice"]
    written = [writer.write_post("en", "alice") for _ in written_posts("en")]
    assert sorted(written) == sorted(written_posts("en"))
    composed = [writer.write_post("en") for _ in range(20_000)]
    assert len(set(composed)) == len(composed)
    assert not set(composed) & set(written)


def test_post_writer_repeats_with_the_seed() -> None:
    def write_some(seed: int) -> list[str]:
        writer = PostWriter(random.Random(seed))
        return [writer.write_post(language) for language in language_codes() for _ in range(30)]

    assert write_some(1) == write_some(1) != write_some(2)


def test_own_posts_belong_to_first_people() -> None:
    assert set(OWN_POSTS) <= HANDLES
    for posts in OWN_POSTS.values():
        for post in posts:
            check_post(post)


def test_threads_are_told_by_first_people_in_three_to_five_posts() -> None:
    threads = demo_threads()
    assert len(threads) >= 10
    for thread in threads:
        assert thread.handle in HANDLES
        assert 3 <= len(thread.posts) <= 5
        for post in thread.posts:
            check_post(post)


def test_the_hot_post_is_well_formed() -> None:
    assert HOT_HANDLE in HANDLES
    check_post(HOT_POST)


def test_read_posts_keeps_paragraphs_and_forced_lines() -> None:
    block = "\nOne\ntwo\n\nnext:\n\n| – a\n| – b\n\nend\n%\nsecond\n"
    assert read_posts(block) == ("One two\n\nnext:\n\n– a\n– b\n\nend", "second")
    assert read_posts("一\n二\n", joiner="") == ("一二",)
