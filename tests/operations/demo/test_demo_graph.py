"""The graphs of follows and likes: clean, repeatable, and dominated by few."""

import random
from collections import Counter

import pytest

from operations.demo.people import follow_graph, like_graph


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
