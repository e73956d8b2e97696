"""`manage.py recommend <handle>`: shows the people someone may know, why, and the cost of finding them. With `--of
tags` it shows the topics that people near them follow, with `--of posts` the posts that these like, with `--json` both
levels, for another system.

Looks again each time and keeps nothing, so that developers see the effect of a change to what it calls.
"""

import io
import json
from collections import defaultdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from accounts.people.reads import find_user_by_handle, read_actor
from feed.for_you.reads import list_posts_for
from operations.management.command_errors import command_errors
from relations.levels import answer_levels, cost_of
from relations.suggested import list_suggestions
from relations.topics import find_topics
from relations.two_levels import MOST_KEPT, look_two_levels, recommend_people
from socialsite.table import Call, NotFound, measure


class Command(BaseCommand):
    help = "Prints whom somebody may know, best first, with the reasons and the cost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("handle")
        parser.add_argument("--size", type=int, default=MOST_KEPT, help="how many people (30)")
        parser.add_argument(
            "--of",
            choices=("people", "tags", "posts"),
            default="people",
            help="what to recommend (people)",
        )
        parser.add_argument(
            "--json", action="store_true", help="levels one and two, for another system"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        handle = options["handle"].removeprefix("@").lower()
        with command_errors():
            try:
                user_id = find_user_by_handle(handle)
            except NotFound as error:
                sentence = f"No account has the handle {handle}. Check the spelling."
                raise CommandError(sentence) from error
            size = max(1, options["size"])
            if options["json"]:
                self.stdout.write(_json_of(user_id, size=size))
                return
            with measure() as meter:
                table = OF[options["of"]](user_id, size)
        self._print(table if table.row_count else f"{NOTHING[options['of']]} to {handle}.")
        self._print(_costs_of(meter.calls))

    def _print(self, content: Table | str) -> None:
        console = Console(record=True, file=io.StringIO(), width=120)
        console.print(content)
        self.stdout.write(console.export_text())


def _json_of(user_id: str, *, size: int) -> str:
    with measure() as meter:
        by = read_actor(user_id)
        if by is None:
            raise CommandError("This account is being erased.")
        answer = answer_levels(by, size=size)
    return json.dumps(answer | {"cost": cost_of(meter)}, indent=2, ensure_ascii=False)


def _people(user_id: str, size: int) -> Table:
    table = Table("handle", "name", "why", "shared", "score")
    for one in list_suggestions(user_id, recommend_people(user_id), size=size):
        shared, score = str(one.found.shared), str(one.found.score)
        table.add_row(one.person.handle, one.person.name, one.reason, shared, score)
    return table


def _tags(user_id: str, size: int) -> Table:
    table = Table("tag", "why", "friends", "followed", "beyond", "score")
    for one in find_topics(user_id, look_two_levels(user_id))[:size]:
        numbers = map(str, (one.friends, one.near, one.beyond, one.score))
        table.add_row(f"#{one.tag}", one.reason, *numbers)
    return table


def _posts(user_id: str, size: int) -> Table:
    table = Table("post", "why", "friends", "all", "score")
    by = read_actor(user_id)
    beyond = [one.user_id for one in recommend_people(user_id)]
    for one in list_posts_for(by, beyond=beyond)[:size] if by else ():
        numbers = map(str, (one.friends, one.people, one.score))
        table.add_row(one.card.url, one.reason, *numbers)
    return table


OF = {"people": _people, "tags": _tags, "posts": _posts}
NOTHING = {
    "people": "Nobody to recommend",
    "tags": "No tags to recommend",
    "posts": "No posts to recommend",
}


def _costs_of(calls: list[Call]) -> Table:
    kinds: dict[tuple[str, str], list[Call]] = defaultdict(list)
    for call in calls:
        kinds[call.access_pattern, call.operation].append(call)
    table = Table("access pattern", "operation", "calls", "read units", show_footer=True)
    for (pattern, operation), some in kinds.items():
        table.add_row(pattern, operation, str(len(some)), f"{sum(call.units for call in some):g}")
    units = sum(call.units for call in calls)
    for column, total in zip(
        table.columns, ("all", "", f"{len(calls)}", f"{units:g}"), strict=True
    ):
        column.footer = total
    return table
