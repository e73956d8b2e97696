"""A moderator's last action, which the next page reports and can undo. Addresses carry it, signed."""

from dataclasses import dataclass
from typing import Any

from django.core import signing

from moderation.cases.cases import CaseId
from moderation.models import CaseKind
from moderation.rules.preset_texts import done_word

SALT = "done"


@dataclass(frozen=True, slots=True)
class Done:
    case_id: CaseId
    action_id: str
    kind: str
    handle: str

    @property
    def word(self) -> str:
        return done_word(self.kind)

    @property
    def undo_url(self) -> str:
        return f"{self.case_id.url}/undo"


def write_done(done: Done) -> str:
    case_id = done.case_id
    parts = [case_id.kind, case_id.subject_id, done.action_id, done.kind, done.handle]
    return signing.dumps(parts, salt=SALT)


def read_done(text: str) -> Done | None:
    """Returns the action, None for anything that `write_done` did not make."""
    if not text:
        return None
    try:
        kind, subject_id, action_id, action, handle = _loaded(text)
    except (signing.BadSignature, ValueError):
        return None
    return Done(CaseId(CaseKind(kind), subject_id), action_id, action, handle)


def _loaded(text: str) -> Any:
    return signing.loads(text, salt=SALT)
