"""Bugs of threads."""

from tests.faults.seeded import CRASH, bug

THREADS = "tests/feed/test_threads.py"
PAGES = "tests/feed/test_long_threads.py"

THREAD_BUGS = [
    bug(
        "a reply is written although the root was closed to it meanwhile",
        "feed/threads/writes.py",
        ("    yield from must_be_allowed(by, root)\n", ""),
        tests=THREADS,
        only="closed_while_one_writes",
    ),
    bug(
        "a deleted reply keeps its text in the thread",
        "feed/posts/writes.py",
        ("*(one.remove() for one in emptied)", ""),
        tests=THREADS,
        only="leaves_a_stub",
    ),
    bug(
        "a reply counts again when its place is emptied",
        "feed/posts/writes.py",
        ("return is_now - was", "return int(is_now)"),
        tests=CRASH,
        only="reply",
    ),
    bug(
        "a reply is for everyone once its root is deleted",
        "feed/posts/models.py",
        ("            audience=root.audience,\n", ""),
        tests=THREADS,
        only="same_people_when_their_root_is_deleted",
    ),
    bug(
        "what muted people reply stands open",
        "templates/feed/_node.html",
        ('<details class="set-aside">', '<details class="set-aside" open>'),
        tests="tests/feed/test_muted_in_threads.py",
    ),
    bug(
        "replies are counted by an audience that their root had",
        "feed/threads/writes.py",
        (
            "add(post, audience=audience, withheld=post",
            "add(post, audience='', withheld=post",
        ),
        tests="tests/feed/editing/test_audience_of_replies.py",
        only="where_new_ones",
    ),
    bug(
        "the parts of a story stay in the counts of before",
        "feed/threads/stream.py",
        ("root.root_id or (old.audience, old.circle)", "True or (old.audience, old.circle)"),
        tests="tests/feed/editing/test_audience_of_replies.py",
        only="where_new_ones",
    ),
    bug(
        "replies to a post for its author alone are not judged",
        "feed/threads/writes.py",
        ("audience=Audience.EVERYONE, others", "audience=row(Post, root).audience, others"),
        tests="tests/feed/editing/test_audience_of_replies.py",
        only="judged",
    ),
    bug(
        "a page that is read back is not turned round",
        "feed/threads/pages.py",
        ("self.rows[::-1] if self.backwards else self.rows)]", "self.rows)]"),
        tests=PAGES,
        only="both_ways and forty",
    ),
    bug(
        "a page begins in the middle of a branch",
        "feed/threads/pages.py",
        ("    elif page.goes_on and", "    elif False and"),
        ("self.rows[: whole or count]", "self.rows[:count]"),
        tests=PAGES,
        only="whole_branches",
    ),
]
