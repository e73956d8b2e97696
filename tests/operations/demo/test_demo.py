"""The invented people, their graph, texts, pictures, filters, and times."""

import io
import json
import random
import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice

import pytest
from django.test import Client
from PIL import Image

from accounts.credentials.forms import HANDLE
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.publishing.forms import POST_BYTES, POST_LIMIT
from operations.demo.avatars import MOST_BYTES, SIDE, draw_avatar
from operations.demo.content import CODES, DemoPerson, first_people, languages, threads
from operations.demo.people import (
    KNOWN_PEOPLE,
    SHORTEST,
    SLOT,
    TAGGED_EACH,
    PostWriter,
    compose_post,
    follow_graph,
    like_graph,
    more_people,
    post_times,
)
from operations.seed.demo_data import DemoData, Sizes
from relations.filters import Pronoun
from relations.lambda_handler import handle
from relations.suggested import look_for_people
from socialsite.site_settings.levels import Level
from socialsite.table import write_batch
from tests.web.catalogs import ROOT
from tests.web.html import Html


def check_person(person: DemoPerson) -> None:
    assert HANDLE.fullmatch(person.handle)
    assert 0 < len(person.name) <= 50
    assert len(person.bio) <= 160
    assert len(person.location) <= 40
    assert person.language in languages()
    for text in (person.name, person.bio, person.location):
        assert text == text.strip()
        assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn") for sign in text)


def test_first_people_are_well_formed_and_distinct() -> None:
    people = first_people().people
    assert len(people) == KNOWN_PEOPLE
    assert len({person.handle for person in people}) == len(people)
    assert len({person.bio for person in people}) == len(people)
    for person in people:
        check_person(person)
        assert person.bio
        assert person.location


def test_first_people_begin_with_the_known_three_and_speak_all_languages() -> None:
    people = first_people().people
    assert [person.handle for person in people[:4]] == ["alice", "bob", "carol", "mod"]
    assert {person.language for person in people} == set(languages())


def test_more_people_are_well_formed_and_distinct() -> None:
    handles = {person.handle for person in first_people().people}
    for person in more_people(random.Random(5), 20_000):
        check_person(person)
        assert person.handle not in handles
        handles.add(person.handle)


def test_more_people_repeat_with_the_seed() -> None:
    one = list(more_people(random.Random(7), 500))
    assert one == list(more_people(random.Random(7), 500))
    assert one != list(more_people(random.Random(8), 500))


def test_more_people_are_made_one_by_one() -> None:
    assert len(list(islice(more_people(random.Random(1), 100_000), 3))) == 3
    assert list(more_people(random.Random(1), 0)) == []


# The graphs of follows and likes: clean, repeatable, and dominated by few.


def share_of_top(counts: Counter[int], size: int) -> float:
    """The share of all edges that the most popular hundredth holds."""
    top = counts.most_common(max(1, size // 100))
    return sum(count for _, count in top) / counts.total()


@pytest.mark.parametrize(("size", "mean"), [(0, 5), (1, 5), (2, 9), (7, 30), (60, 15), (3_000, 20)])
def test_follow_graph_has_no_self_edges_and_no_doubles(size: int, mean: float) -> None:
    edges = list(follow_graph(random.Random(1), size, mean))
    assert len(set(edges)) == len(edges)
    assert all(0 <= follower < size and 0 <= followed < size for follower, followed in edges)
    assert all(follower != followed for follower, followed in edges)
    assert [follower for follower, _ in edges] == sorted(follower for follower, _ in edges)


def test_follow_graph_follows_a_power_law_around_the_mean() -> None:
    size, mean = 20_000, 15
    edges = list(follow_graph(random.Random(2), size, mean))
    assert mean * 0.8 < len(edges) / size < mean * 1.2
    followers = Counter(followed for _, followed in edges)
    assert share_of_top(followers, size) > 0.1
    assert followers[0] == max(followers.values())
    assert followers[0] > size / 10


def test_follow_graph_gives_the_first_person_about_twenty() -> None:
    edges = follow_graph(random.Random(3), 1_000, 15)
    followed = [other for follower, other in edges if follower == 0]
    assert 16 <= len(followed) <= 24
    assert {1, 2, 3} <= set(followed)
    assert any(other >= 48 for other in followed)


def test_follow_graph_has_people_who_follow_each_other() -> None:
    edges = set(follow_graph(random.Random(4), 5_000, 15))
    mutual = sum((followed, follower) in edges for follower, followed in edges)
    assert mutual > len(edges) * 0.05


def test_graphs_repeat_with_the_seed() -> None:
    one = list(follow_graph(random.Random(5), 500, 12))
    assert one == list(follow_graph(random.Random(5), 500, 12))
    assert one != list(follow_graph(random.Random(6), 500, 12))
    likes = list(like_graph(random.Random(5), 300, 100))
    assert likes == list(like_graph(random.Random(5), 300, 100))


@pytest.mark.parametrize(("posts", "people"), [(0, 5), (5, 0), (5, 1), (40, 3), (2_000, 500)])
def test_like_graph_has_no_doubles(posts: int, people: int) -> None:
    likes = list(like_graph(random.Random(7), posts, people))
    assert len(set(likes)) == len(likes)
    assert all(0 <= person < people and 0 <= post < posts for person, post in likes)


def test_like_graph_has_one_hot_post_and_a_power_law() -> None:
    posts, people = 10_000, 2_000
    counts = Counter(post for _, post in like_graph(random.Random(8), posts, people, hot=17))
    assert counts.most_common(1)[0][0] == 17
    assert counts[17] > people * 0.9
    del counts[17]
    assert share_of_top(counts, posts) > 0.1
    assert posts * 0.2 < posts - len(counts) < posts * 0.7


def test_like_graph_can_do_without_a_hot_post() -> None:
    counts = Counter(post for _, post in like_graph(random.Random(9), 50, 1_000, hot=None))
    assert max(counts.values()) <= 250


# The times of posts: in order, in range, and in the rhythm of people.

NOW = datetime(2025, 6, 18, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(("count", "days"), [(0, 30), (1, 30), (2, 1), (5_000, 90), (50, 0.01)])
def test_post_times_are_sorted_and_in_range(count: int, days: float) -> None:
    times = post_times(random.Random(1), count, NOW, days)
    assert len(times) == count
    assert times == sorted(times)
    for time in times:
        assert time.tzinfo is UTC
        assert NOW - timedelta(days=days) <= time <= NOW
    if times:
        assert NOW - times[-1] < timedelta(hours=1)


def test_post_times_are_more_in_the_evening_and_at_the_weekend() -> None:
    times = post_times(random.Random(2), 40_000, NOW, 70)
    hours = Counter(time.hour for time in times)
    assert hours[20] > 5 * hours[3]
    days = Counter(time.weekday() for time in times)
    assert min(days[5], days[6]) > max(days[day] for day in range(5))


def test_somebody_has_posted_lately_in_the_quiet_hours_too() -> None:
    night = NOW.replace(hour=4)
    times = post_times(random.Random(1), 600, night, 20)
    assert sum(night - time < timedelta(hours=5) for time in times) >= 10


def test_post_times_repeat_with_the_seed() -> None:
    one = post_times(random.Random(3), 100, NOW, 30)
    assert one == post_times(random.Random(3), 100, NOW, 30)
    assert one != post_times(random.Random(4), 100, NOW, 30)


def test_post_times_understand_other_time_zones_but_not_none() -> None:
    local = NOW.astimezone(timezone(timedelta(hours=9)))
    assert post_times(random.Random(5), 9, local, 3) == post_times(random.Random(5), 9, NOW, 3)
    with pytest.raises(ValueError, match="time zone"):
        post_times(random.Random(5), 9, NOW.replace(tzinfo=None), 3)


# The posts: long enough, short enough, clean, and different from each other.

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


# The generated pictures: small, square, repeatable and varied.


def test_avatars_are_small_square_webp_files() -> None:
    rng = random.Random(1)
    for _ in range(150):
        data = draw_avatar(rng)
        assert len(data) <= MOST_BYTES
        with Image.open(io.BytesIO(data)) as image:
            assert image.format == "WEBP"
            assert image.size == (SIDE, SIDE)


def test_avatars_repeat_with_the_seed_and_differ_otherwise() -> None:
    assert draw_avatar(random.Random(2)) == draw_avatar(random.Random(2))
    rng = random.Random(3)
    assert len({draw_avatar(rng) for _ in range(100)}) > 95


# Each filter of friends and favourites finds somebody in the demo, and not everybody: one sees what it does.


@pytest.fixture
def alice_of_demo(table: str) -> Viewer:
    data = DemoData(Sizes(posts=60, pictures=0))
    write_batch(puts=data.items())
    user_id = data.user_ids[0]
    return Viewer(user_id, "", get_user_info(user_id))


@pytest.fixture
def first_person(alice_of_demo, log_in) -> Client:
    """A browser of the demo's first person."""
    browser: Client = log_in(alice_of_demo)
    return browser


def found(browser: Client, **asked: str) -> list[str]:
    return Html(browser.get("/friends", asked)).handles()


@pytest.mark.parametrize("of_list", [{}, {"show": "favourites"}], ids=["friends", "favourites"])
def test_each_filter_finds_some(first_person, of_list):
    everyone = found(first_person, **of_list)
    people = {person.handle: person for person in first_people().people}
    known = [people[handle] for handle in everyone if handle in people]
    gender = next(one.gender for one in known if one.gender)
    place = next(one.location for one in known if one.location)
    choices = [*({"pronoun": one} for one in Pronoun), *({"level": one} for one in Level)]
    for asked in ({"gender": gender}, {"location": place.upper()}, *choices):
        assert 0 < len(found(first_person, **of_list, **asked)) < len(everyone), asked


@pytest.mark.usefixtures("alice_of_demo")
def test_the_shipped_filter_event_finds_somebody():
    event = json.loads((ROOT / "deploy" / "events" / "filter.json").read_text())
    (found,) = handle(event)["found"]
    assert (found["location"], found["pronouns"]) == ("Hamburg", "sie/ihr")


def test_circles_and_notes_find_some_friends(first_person):
    everyone = found(first_person)
    (circle, *_) = [
        one["value"] for one in Html(first_person.get("/friends")).all("option") if one["value"]
    ]
    for asked in ({"q": "flour"}, {"circle": circle}):
        assert 0 < len(found(first_person, **asked)) < len(everyone), asked


def test_one_friendship_and_one_favourite_began_again(first_person):
    for path in ("/friends", "/friends?show=favourites"):
        notes = [one.text for one in Html(first_person.get(path)).all("p", class_="row-note")]
        assert sum("for the first time on" in note for note in notes) == 1, path


def test_people_near_follow_topics_and_like_posts(alice_of_demo, first_person):
    look_for_people(alice_of_demo.user_id)
    assert "Topics for you" in first_person.get("/explore").content.decode()
    assert Html(first_person.get("/explore/posts")).all("p", class_="for-you")
