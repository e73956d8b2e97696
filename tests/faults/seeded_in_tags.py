"""Bugs of tags."""

from tests.faults.seeded import bug

LISTED = "tests/tags/test_list_under_tags.py"
AT_HOME = "tests/tags/test_tags_at_home.py"

TAGS = [
    bug(
        "a post for some stands under its tags",
        "feed/posts/reads.py",
        ("post.audience or post.withheld", "post.withheld"),
        tests=LISTED,
        only="for_some",
    ),
    bug(
        "a tag stays in the index without posts",
        "tags/models.py",
        ("    write_batch(deletes=map(keys.tag_use, unused))\n", ""),
        tests=LISTED,
        only="the_last_one_the_index",
    ),
    bug(
        "a followed tag brings posts of muted people",
        "feed/home/reads.py",
        (
            "checked = _answered(wanted, viewer) | _found_by_tag(wanted)",
            "checked = _answered(wanted, viewer)",
        ),
        tests=AT_HOME,
        only="blocked_and_muted",
    ),
    bug(
        "an unfollowed tag leaves what it brought",
        "tags/stream_handlers.py",
        ("        if other or edges[one] in found:\n", "        if True:\n"),
        tests=AT_HOME,
        only="another_way",
    ),
    bug(
        "an unfollow takes out what a tag brings",
        "feed/timelines/writes.py",
        (
            "if len(staying) < room and (tag or _is_for_friend(raw, friendship)):",
            "if len(staying) < room and _is_for_friend(raw, friendship):",
        ),
        tests=AT_HOME,
        only="leaves_what_a_tag_brings",
    ),
]
