"""Cases as a moderator saw them in a list: what the checkboxes of the lists send."""

import re
from dataclasses import dataclass

from django.core.exceptions import BadRequest

from moderation.cases.cases import CaseId
from moderation.cases.converters import CaseKindConverter
from socialsite.table import ids

SEEN_CASE = re.compile(rf"({CaseKindConverter.regex})\.({ids.PATTERN})\.(\d{{1,9}})")


@dataclass(frozen=True, slots=True)
class SeenCase:
    """A case as a moderator saw it, or a person whose case they did not see (`version` 0)."""

    case_id: CaseId
    version: int


def seen_case(value: str) -> SeenCase:
    """Reads `<kind>.<subject>.<version>`. Raises `BadRequest`."""
    if not (found := SEEN_CASE.fullmatch(value)):
        raise BadRequest("no such case")
    kind, subject_id, version = found.groups()
    return SeenCase(CaseId(CaseKindConverter().to_python(kind), subject_id), int(version))
