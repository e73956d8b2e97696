"""The pages of the staff, in three groups: each is shown to who may open it."""

from dataclasses import dataclass
from functools import cache

from django.urls import resolve
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Permission, permissions_of
from accounts.viewer import Viewer
from socialsite.web.error_pages import no_such_address

GROUPS = (
    (
        ("queue", _("Queue"), Permission.CASES),
        ("people", _("People"), Permission.CASES),
        ("log", _("Log"), Permission.LOG),
        ("overview", _("Overview"), Permission.OVERVIEW),
    ),
    (
        ("site", _("Site"), Permission.SITE),
        ("rules", _("Rules"), Permission.SITE),
        ("words", _("Words"), Permission.SITE),
        ("blocks", _("Sign-up blocks"), Permission.SITE),
        ("presets", _("Texts"), Permission.SITE),
        ("invites", _("Invitations"), Permission.SIGN_UPS),
    ),
    (
        ("roles", _("Roles"), Permission.ROLES),
        ("worker", _("Worker"), Permission.WORKER),
    ),
)


@dataclass(frozen=True, slots=True)
class Tab:
    name: str
    label: str

    @property
    def href(self) -> str:
        return f"/moderation/{self.name}"


def staff_tabs(viewer: Viewer) -> list[list[Tab]]:
    """What the viewer may open, without empty groups."""
    may = permissions_of(viewer)
    groups = [
        [
            Tab(name, str(label))
            for name, label, permission in group
            if permission in may and _is_there(name)
        ]
        for group in GROUPS
    ]
    return [group for group in groups if group]


@cache
def _is_there(name: str) -> bool:
    return resolve(f"/moderation/{name}").func is not no_such_address
