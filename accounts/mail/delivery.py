"""Letters as a way to tell people: posting one is planning it, in the transaction that is its reason."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import get_language

from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.table import Create, WriteAction, ids
from socialsite.telling import Cause, Kind, channel

MAIL = "mail"  # the kind of due work


@channel(carries=lambda kind: kind.by_letter)
@dataclass(slots=True)
class Letters:
    """Letters to be posted. 2 write units each.

    A letter is written when it is sent, so its facts hold what only this moment knows: no address, no text, no secret.
    """

    posted: list[Create] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.posted)

    def add(self, user_id: str, kind: Kind, cause: Cause) -> None:
        now = utc_now()
        self.posted.append(
            plan(
                MAIL,
                moment=now,
                subject=f"{kind.name}.{user_id}.{cause.about or ids.new_id()}",
                letter=kind.name,
                user=user_id,
                posted=now.isoformat(),
                language=get_language() or "",
                **cause.facts,
            )
        )

    def merge(self, other: "Letters") -> None:
        self.posted += other.posted

    def actions(self) -> Sequence[WriteAction]:
        return self.posted
