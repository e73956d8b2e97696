"""The demo's reported posts."""

import random
from collections.abc import Iterator, Mapping, Sequence

from moderation.cases.seed import report_items
from operations.demo.content import DemoReport, reports
from operations.demo.graph import KNOWN_PEOPLE
from operations.seed.written import Written
from socialsite.table.item import Item

EVERY = 3  # posts, one is reported


def choose_reported(newest: int, people: int) -> dict[int, DemoReport]:
    """Returns the reports by the number of their post: recent posts, and none if everyone is well known."""
    if newest <= EVERY * len(reports()) or people <= KNOWN_PEOPLE:
        return {}
    return {newest - EVERY * place: report for place, report in enumerate(reports(), start=1)}


def reported_items(
    rng: random.Random,
    reported: Mapping[int, DemoReport],
    posts: Sequence[Written],
    user_ids: Sequence[str],
) -> Iterator[Item]:
    """Yields the reports, each by other people than the author."""
    for number, report in reported.items():
        post = posts[number]
        others = [user for user in range(len(user_ids)) if user != post.author]
        rng.shuffle(others)
        yield from report_items(
            author_id=user_ids[post.author],
            post_id=post.post_id,
            text=report.text,
            rule_id=report.rule,
            comments=report.comments,
            reporters=[user_ids[user] for user in others[: report.reporters]],
        )
