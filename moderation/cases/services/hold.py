"""The case of a post that waits for a moderator because of an edit."""

from contextlib import suppress

from feed.models import Post, Withheld
from moderation.cases.cases import CaseId, CaseMoved, begin_case, is_open, join_case
from moderation.models import Case, CaseKind, Queue
from socialsite.site.default_rules import MINOR
from socialsite.table import keys
from socialsite.table.actions import Check
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch
from socialsite.table.writing import transact


@access_pattern
def reopen_held(*, post_id: str, author_id: str) -> None:
    """Opens a case about a held post, or the closed one again for another round; safe to repeat. It does nothing if the
    post does not wait any more, or its case is open.

    One consistent BatchGetItem, 1 read unit, and one TransactWriteItems of the case with a check of the post, 4 write
    units.
    """
    case_id = CaseId(CaseKind.POST, post_id)
    waits = Check(keys.post(author_id, post_id), Post.withheld == Withheld.HELD)

    def attempt() -> None:
        raw = fetch([case_id.key], consistent=True).get(case_id.key)
        case = as_model(Case, raw) if raw else None
        if case is None:
            begun = begin_case(case_id, person_id=author_id, queue=Queue.HELD, severity=MINOR)
            transact(begun, waits)
        elif not is_open(case):
            transact(join_case(case, queue=Queue.HELD), waits)

    with suppress(NotFound):
        write_as_read(attempt, moved=CaseMoved)
