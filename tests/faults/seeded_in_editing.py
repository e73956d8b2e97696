"""Bugs of edits and of what follows from them."""

from tests.faults.seeded import bug

AT_ONCE = "tests/feed/editing/test_edit_at_once.py"
EDIT = "tests/feed/editing/test_edit_post.py"
HISTORY = "tests/feed/editing/test_history.py"
TOLD = "tests/notifications/test_told_of_edits.py"
REPORTS = "tests/moderation/test_edited_posts.py"
AUDIENCE = "tests/feed/editing/test_audience_is_judged.py"
AT_HOME = "tests/feed/editing/test_audience_in_timelines.py"
PAST = "tests/feed/editing/test_limit_past_posts.py"
ROOM = "tests/feed/test_room_of_posts.py"

EDITING = [
    bug(
        "a post fills its item, with no room for what it may be given later",
        "feed/posts/content_checks.py",
        ("Post(**LATER | given | changed)", "Post(**given | changed)"),
        tests=ROOM,
        only="worst_of_everything",
    ),
    bug(
        "a post for friends stays with them when it is for followers",
        "feed/timelines/fan_out_stream.py",
        ("        _take_out(post)\n", ""),
        tests=AT_HOME,
        only="former_friends",
    ),
    bug(
        "a step's writes go before the cursor of its job",
        "socialsite/streams/jobs.py",
        (
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken), *step.writes)",
            "        transact(*step.writes) if step.writes else None\n"
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken))",
        ),
        tests=PAST,
        only="opens_again",
    ),
    bug(
        "a post published later is limited with those before",
        "feed/publishing/stream.py",
        (
            "after=after, forward=False, consistent=True, limit=POSTS_LIMITED",
            "forward=False, consistent=True, limit=POSTS_LIMITED",
        ),
        tests=PAST,
        only="later",
    ),
    bug(
        "a deletion counts off a post with another audience than it has",
        "feed/publishing/writes.py",
        ("as_read & has_audience(post)", "as_read"),
        tests=AUDIENCE,
        only="deletion_overtaken",
    ),
    bug(
        "a post that only its author saw is shown without being judged",
        "feed/publishing/changes.py",
        ("        is_shown = post.audience == Audience.ONLY_ME", "        is_shown = False"),
        tests=AUDIENCE,
        only="for_the_first_time",
    ),
    bug(
        "an edit takes a rival's version for its own earlier success",
        "feed/publishing/changes.py",
        ("            may_be_own=False,", "            may_be_own=True,"),
        tests=AT_ONCE,
        only="one_version_one_is_taken",
    ),
    bug(
        "an edit overtakes the moderator who withholds the post",
        "feed/publishing/changes.py",
        (
            "or None)\n        as_read = is_version(post) & Post.withheld.does_not_exist()",
            "or None)\n        as_read = is_version(post)",
        ),
        tests=AT_ONCE,
        only="moderator_overtakes",
    ),
    bug(
        "an edit leaves the copy in the thread as it was",
        "feed/publishing/changes.py",
        ("            *change_copy(post, [*changed, *shorter]),\n", ""),
        tests=EDIT,
        only="in_its_thread_too",
    ),
    bug(
        "what a post said stays when it is deleted",
        "feed/publishing/stream.py",
        ("    if post.version:\n", "    if False:\n"),
        tests=HISTORY,
        only="nothing_is_left",
    ),
    bug(
        "a mention that an edit took away is told",
        "notifications/delivery.py",
        ("        return kind.holds(user_id, cause)\n", "        return True\n"),
        tests=TOLD,
        only="leaves_out",
    ),
    bug(
        "a report keeps what the post says by now",
        "moderation/cases/evidence.py",
        ("    if 0 < version < int(post.version):", "    if version < 0:"),
        tests=REPORTS,
        only="the_reporter_saw",
    ),
    bug(
        "a held edit of a post that was released opens no case",
        "moderation/reports/writes.py",
        ("        elif not is_open(case):", "        elif False:"),
        tests=REPORTS,
        only="another_round",
    ),
]
