"""Says which permission opens a case, and about whom staff may do something. Every list shows only cases that the
viewer may open."""

from django.utils.translation import gettext

from accounts.models import UserInfo
from accounts.permissions import Permission, Permissions, outranks
from accounts.viewer import Viewer
from moderation.cases.cases import CaseId, read_case
from moderation.models import Case, CaseKind
from socialsite.table import keys
from socialsite.table.errors import NotFound, TableError
from socialsite.table.reading import as_model, fetch
from socialsite.table.row import row


class Outranked(TableError):
    """The person has a role that is not below the moderator's own."""

    status, template = 403, "moderation/cases/outranked.html"

    def __init__(self) -> None:
        super().__init__("not below")
        self.told = gettext("This person is on the staff, and your role is not above theirs.")


def permission_for(kind: CaseKind) -> Permission:
    return Permission.SIGN_UPS if kind == CaseKind.SIGN_UP else Permission.CASES


def must_outrank(by: Viewer, role: str) -> None:
    """Every service asks this before it does something about a person that they may read, or that stays with them.
    `role` is theirs, empty for most. Raises `Outranked`: colleagues and superiors are left to those above them."""
    if role and not outranks(by, role):
        raise Outranked


def read_case_and_role(case_id: CaseId) -> tuple[Case, str]:
    """Returns the case, and the role of the person whom it is about, empty for none. One consistent BatchGetItem, 2
    read units; for a post, whose author the case names, a GetItem and a BatchGetItem. Raises `NotFound`."""
    if case_id.kind == CaseKind.POST:
        case = read_case(case_id)
        person = keys.user_info(case.person_id)
        found = fetch([person], consistent=True)
    else:
        person = keys.user_info(case_id.subject_id)
        found = fetch([case_id.key, person], consistent=True)
        if case_id.key not in found:
            raise NotFound("no such case")
        case = as_model(Case, found[case_id.key])
    return case, str(row(UserInfo, found.get(person, {})).role)


def kinds_open_to(permissions: Permissions) -> frozenset[CaseKind]:
    return frozenset(kind for kind in CaseKind if permission_for(kind) in permissions)
