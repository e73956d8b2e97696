"""Bugs of whom a fan-out reaches, and of what widely followed people bring."""

from tests.faults.seeded import bug

PRESENT = "tests/feed/test_present_followers.py"
RECENT = "tests/feed/test_recent_posts.py"

TIMELINES = [
    bug(
        "a post of a crossing author is missing in the list of the newest",
        "feed/stream_handlers/fan_out_post.py",
        ("    if state or crosses:\n", "    if state == PULLED:\n"),
        tests=RECENT,
        only="comes_into_the_list",
    ),
    bug(
        "the list of the newest does not say what fell out of it",
        "feed/pulled/recent.py",
        ("max([recent.since, *(one.at for one in posts[:-KEPT])])", "recent.since"),
        tests=RECENT,
        only="says_what_it_lacks",
    ),
    bug(
        "the list of the newest is replaced whatever others wrote",
        "feed/pulled/recent.py",
        ("        condition=RecentPosts.changed == old.changed,\n", ""),
        tests=RECENT,
        only="two_at_once",
    ),
    bug(
        "an edge with a day long ago says that its follower is away",
        "feed/stream_handlers/fan_out_post.py",
        ("for one in followers if one.seen < oldest]", "for one in followers if not one.seen]"),
        tests=PRESENT,
        only="came_back",
    ),
    bug(
        "a fan-out takes everyone for present who was ever here",
        "feed/stream_handlers/fan_out_post.py",
        (
            "if days.get(one.follower_id, one.seen) >= oldest",
            "if days.get(one.follower_id, one.seen)",
        ),
        tests=PRESENT,
        only="are_away",
    ),
    bug(
        "a late fan-out sets the day of an edge back",
        "feed/stream_handlers/fan_out_post.py",
        ("            condition=earlier_day,\n", ""),
        tests=PRESENT,
        only="only_grows",
    ),
    bug(
        "an edge that a request brought says that its follower is here",
        "relations/services/follow_requests.py",
        ("new_edges(user_id, by, counted_by=counted_by)", 'new_edges(user_id, by, seen="9")'),
        tests=PRESENT,
        only="says_no_day",
    ),
]
