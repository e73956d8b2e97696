"""`manage.py index_posts`: makes the index of words anew from the posts, and takes out of it what does not belong.

For a site whose posts are older than its search, and after its rules of words changed. Works while the site and its
worker run, and gives way to readers. Finished work stays done, so an interrupted run can simply be started again.
"""

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from feed.posts.models import Post
from finding.checks import mend_words
from finding.models import WordEntry
from operations.management.command_errors import command_errors
from socialsite.streams.jobs import give_way
from socialsite.table import RawItem
from socialsite.table.reading import scan_page
from socialsite.table.resilience import paced

AT_ONCE = 100  # posts whose entries are compared together


class Command(BaseCommand):
    help = "Enters every public post under its words, on a running site. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        columns = SpinnerColumn(), TextColumn("{task.description}: {task.completed:,}")
        console = Console(stderr=True)
        posts = entries = wrong = 0
        with command_errors(), paced(give_way), Progress(*columns, console=console) as progress:
            task = progress.add_task("posts and entries compared")
            last = None
            while True:
                items, last = scan_page(after=last)
                found, listed = _of(items, Post), _of(items, WordEntry)
                for first in range(0, max(len(found), len(listed)), AT_ONCE):
                    some = found[first : first + AT_ONCE], listed[first : first + AT_ONCE]
                    wrong += mend_words(*some)
                    progress.advance(task, sum(map(len, some)))
                posts, entries = posts + len(found), entries + len(listed)
                if last is None:
                    break
        self.stdout.write(
            f"{posts:,} posts and {entries:,} entries compared, {wrong:,} entries set right."
        )


def _of(items: list[RawItem], kind: type) -> list[RawItem]:
    return [raw for raw in items if raw.get("type", {}).get("S") == kind.__name__]
