"""Bugs of whom a fan-out reaches, and of what widely followed people bring."""

from tests.faults.seeded import bug

PRESENT = "tests/feed/test_present_followers.py"
RECENT = "tests/feed/test_recent_posts.py"
NEWS = "tests/feed/test_pulled_news.py"
MERGE = "tests/feed/test_merge_pulled.py"

TIMELINES = [
    bug(
        "a post of a crossing author is missing in the list of the newest",
        "feed/timelines/fan_out_stream.py",
        ("    if state or crosses:\n", "    if state == PULLED:\n"),
        tests=RECENT,
        only="comes_into_the_list",
    ),
    bug(
        "the list of the newest does not say what fell out of it",
        "feed/timelines/big_authors.py",
        ("max([recent.since, *(one.at for one in posts[:-KEPT])])", "recent.since"),
        tests=RECENT,
        only="says_what_it_lacks",
    ),
    bug(
        "the list of the newest is replaced whatever others wrote",
        "feed/timelines/big_authors.py",
        ("        condition=RecentPosts.changed == old.changed,\n", ""),
        tests=RECENT,
        only="two_at_once",
    ),
    bug(
        "news that came late into its list is missed",
        "feed/timelines/big_authors.py",
        ("return self.moment - int(LATE.total_seconds() * 1000)", "return self.moment"),
        tests=MERGE,
        only="came_late",
    ),
    bug(
        "news of muted authors is shown",
        "feed/timelines/big_authors.py",
        ("if is_in_force(found.get(key))}", "if False}"),
        tests=NEWS,
        only="muted",
    ),
    bug(
        "posts that left a list before they were merged are lost",
        "feed/timelines/stream.py",
        ("    if recent.since > merged.since:", "    if False:"),
        tests=MERGE,
        only="has_left_a_list",
    ),
    bug(
        "a merge leaves what it wrote for a reader who has left",
        "feed/timelines/stream.py",
        ("        settle_timeline(user_id, author_id)\n", "        pass\n"),
        tests=MERGE,
        only="leaves_while",
    ),
    bug(
        "a merge ends after its first authors",
        "feed/timelines/stream.py",
        ("    if len(author_ids) == AUTHORS_A_STEP:\n", "    if False:\n"),
        tests=MERGE,
        only="none_is_missing",
    ),
    bug(
        "the audit does not miss what a merge left out",
        "feed/timelines/checks.py",
        ("noted.get(post_id, since + 1) <= since]", "not noted]"),
        tests=MERGE,
        only="is_reported",
    ),
    bug(
        "an edge with a day long ago says that its follower is away",
        "feed/timelines/writes.py",
        ("for one in followers if one.seen < oldest]", "for one in followers if not one.seen]"),
        tests=PRESENT,
        only="came_back",
    ),
    bug(
        "a fan-out takes everyone for present who was ever here",
        "feed/timelines/writes.py",
        (
            "if days.get(one.follower_id, one.seen) >= oldest",
            "if days.get(one.follower_id, one.seen)",
        ),
        tests=PRESENT,
        only="are_away",
    ),
    bug(
        "a late fan-out sets the day of an edge back",
        "feed/timelines/writes.py",
        ("            condition=earlier_day,\n", ""),
        tests=PRESENT,
        only="only_grows",
    ),
    bug(
        "an edge that a request brought says that its follower is here",
        "relations/follows/writes.py",
        ("new_edges(user_id, by, counted_by=counted_by)", 'new_edges(user_id, by, seen="9")'),
        tests=PRESENT,
        only="says_no_day",
    ),
]
