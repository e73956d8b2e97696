"""Bugs of notifications."""

from tests.faults.seeded import bug

TOLD = "tests/notifications/test_told.py"
READ = "tests/notifications/test_read.py"
POSTED = "tests/notifications/test_posted.py"

NOTIFICATIONS = [
    bug(
        "people are told of posts that are not for them",
        "notifications/delivery.py",
        (
            "candidate.kind.shows_whole_post and not _can_see(",
            "candidate.kind.shows_whole_post and False and _can_see(",
        ),
        tests=TOLD,
        only="not_for_them",
    ),
    bug(
        "people are told of those whom they mute",
        "notifications/delivery.py",
        ("return blocks_either_way(block) or is_in_force(mute)", "return blocks_either_way(block)"),
        tests=TOLD,
        only="mute_or_block",
    ),
    bug(
        "the bell is written over, however it was changed since it was read",
        "notifications/delivery.py",
        ("            condition &= at == before if before else at.does_not_exist()\n", ""),
        tests=READ,
        only="planned_anew",
    ),
    bug(
        "reading marks what came after the page, too",
        "notifications/reads.py",
        ('return f"{group}.{value}"', "return group"),
        tests=READ,
        only="came_after_the_page",
    ),
    bug(
        "an unlike leaves the notification of the like",
        "notifications/delivery.py",
        ("        if not actors:\n", "        if False:\n"),
        tests=TOLD,
        only="taken_back_and_given_again",
    ),
    bug(
        "favourites' posts are told to people who may not see them",
        "notifications/delivery.py",
        (
            "and not self._can_view(",
            "and False and self._can_view(",
        ),
        tests=POSTED,
        only="may_not_see or another_audience",
    ),
    bug(
        "a step notifies outside the transaction that moves its job",
        "socialsite/streams/jobs.py",
        (
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken), *step.writes)\n",
            "        transact(*step.writes)\n"
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken))\n",
        ),
        tests=POSTED,
        only="made_again_after_reading",
    ),
]
