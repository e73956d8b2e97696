"""Says which permission opens a case. Every list shows only cases that the viewer may open."""

from accounts.permissions import Permission, Permissions
from moderation.models import CaseKind


def permission_for(kind: CaseKind) -> Permission:
    return Permission.SIGN_UPS if kind == CaseKind.SIGN_UP else Permission.CASES


def kinds_open_to(permissions: Permissions) -> frozenset[CaseKind]:
    return frozenset(kind for kind in CaseKind if permission_for(kind) in permissions)
