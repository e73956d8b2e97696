"""Bugs of polls and votes."""

from tests.faults.seeded import bug

VOTING, RESULTS = "tests/feed/polls/test_vote.py", "tests/feed/polls/test_results.py"
ENDS = "tests/feed/polls/test_poll_ends.py"

POLLS = [
    bug(
        "a changed vote counts beside the one before",
        "feed/polls/models.py",
        ("is_now[name] - was[name] for name", "is_now[name] for name"),
        tests=VOTING,
        only="is_changed_where",
    ),
    bug(
        "results are shown before voting, whatever the author wants",
        "feed/cards/post_card.py",
        (
            "return self.is_closed or self.is_own or self.voted or self.early",
            "return True",
        ),
        tests=RESULTS,
        only="are_hidden_from",
    ),
    bug(
        "a vote is taken after the end",
        "feed/polls/writes.py",
        ("if poll.ends <= now:", "if False:"),
        tests=VOTING,
        only="from_before_the_end",
    ),
    bug(
        "a like that is taken back takes the trace of the vote with it",
        "feed/likes/writes.py",
        (
            "nothing_else = repost.does_not_exist() & choices.does_not_exist()",
            "nothing_else = repost.does_not_exist()",
        ),
        tests=VOTING,
        only="joins_the_trace",
    ),
    bug(
        "the end of a poll is told before every vote is counted",
        "notifications/stream_handlers.py",
        ("due.tries <= WAITS_AT_MOST", "due.tries <= 0"),
        tests=ENDS,
        only="waits_until",
    ),
]
