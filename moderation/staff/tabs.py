"""The staff pages, in groups. Each person sees the tabs that they may open."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from accounts.permissions import Permission, Permissions

GROUPS = (
    (
        ("queue", _("Queue"), {Permission.CASES, Permission.SIGN_UPS}),
        ("waves", _("Waves"), {Permission.CASES, Permission.SIGN_UPS}),
        ("people", _("People"), {Permission.PEOPLE}),
        ("log", _("Audit log"), {Permission.LOG}),
        ("overview", _("Overview"), {Permission.OVERVIEW}),
        ("costs", _("Costs"), {Permission.COSTS}),
    ),
    (
        ("site", _("Site"), {Permission.SITE}),
        ("rules", _("Rules"), {Permission.SITE}),
        ("words", _("Filters"), {Permission.SITE}),
        ("blocks", _("Sign-up blocks"), {Permission.SITE}),
        ("presets", _("Templates"), {Permission.SITE}),
        ("invites", _("Invitations"), {Permission.SIGN_UPS}),
    ),
    (("roles", _("Roles"), {Permission.ROLES}),),
)


@dataclass(frozen=True, slots=True)
class StaffTab:
    name: str
    label: str

    @property
    def href(self) -> str:
        return f"/moderation/{self.name}"


def staff_tabs(permissions: Permissions) -> list[list[StaffTab]]:
    """Returns the tabs that these permissions open, without empty groups. Each needs one of the tab's permissions."""
    groups = [
        [StaffTab(name, str(label)) for name, label, any_of in group if permissions & any_of]
        for group in GROUPS
    ]
    return [group for group in groups if group]
