"""Known bugs of posts that disappear by themselves."""

from tests.faults.seeded import bug

COUNTS = "tests/feed/test_expiring_counts.py"
EXPIRING = "tests/feed/test_expiring_posts.py"

EXPIRY = [
    bug(
        "timelines point at a post after its end",
        "feed/posts/reads.py",
        (
            "    end = earlier(timeline_end(ids.time_of(pointer.post_id)), ends)\n",
            "    end = timeline_end(ids.time_of(pointer.post_id))\n",
        ),
        tests=EXPIRING,
        only="ends_with_it",
    ),
    bug(
        "a post that was deleted early counts until its end",
        "feed/publishing/writes.py",
        ("        count.take(post)\n", ""),
        tests=COUNTS,
        only="right_at_each_second",
    ),
    bug(
        "the gate goes while its root is there",
        "feed/posts/writes.py",
        ("root_ends.does_not_exist() | (root_ends <= now)", "ThreadGate.pk.exists()"),
        tests=EXPIRING,
        only="gate_outlives",
    ),
    bug(
        "a post for some ends among those for everyone",
        "feed/posts/writes.py",
        ('    return "closed_ends" if audience else "ends"\n', '    return "ends"\n'),
        tests=COUNTS,
        only="right_at_each_second",
    ),
    bug(
        "a tag is forgotten with the shortest of its posts",
        "tags/models.py",
        (
            "    if not post.ttl:\n        write_batch(puts=items)\n        return\n",
            "    write_batch(puts=items)\n    return\n",
        ),
        tests=EXPIRING,
        only="longest_post",
    ),
    bug(
        "the counts of a post outlive it",
        "feed/publishing/stream.py",
        ("[keys.like_count(post.post_id), key_of_ending(post)]", "[key_of_ending(post)]"),
        tests=EXPIRING,
        only="table_lets_go",
    ),
    bug(
        "the clock deletes a post before its end",
        "feed/publishing/stream.py",
        ("Delete(place, Post.ttl <= utc_now(), otherwise", "Delete(place, otherwise"),
        tests="tests/feed/test_end_post.py",
        only="not_a_second_before",
    ),
    bug(
        "nothing plans the end of a post",
        "feed/publishing/writes.py",
        ("        yield end_later(post)\n", ""),
        tests="tests/feed/test_end_post.py",
        only="clock_deletes_it",
    ),
]
