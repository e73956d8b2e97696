"""The forms for giving a role, for the permissions of the site's own roles, and for the languages of a moderator."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.people.reads import find_user_by_handle
from accounts.permissions import TITLE_MAX_CHARACTERS, Permission, RoleCard
from socialsite.table import NotFound
from socialsite.web.fields import PlainTextField

HANDLE_MAX_CHARACTERS = 31  # with its @


class HandleField(PlainTextField):
    """A handle, with or without its @, that becomes a person's id. A former one does too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_characters=HANDLE_MAX_CHARACTERS, **kwargs)
        self.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false", "dir": "ltr"}

    def clean(self, value: Any) -> str:
        handle = str(super().clean(value)).removeprefix("@").lower()
        try:
            return find_user_by_handle(handle, or_former=True) if handle else ""
        except NotFound as error:
            raise ValidationError(
                _("Nobody has this handle. Check the spelling."), code="nobody"
            ) from error


PERMISSIONS = {
    Permission.CASES: _("Handle reports, appeals and held posts, up to freezing an account"),
    Permission.SUSPEND: _("Suspend accounts"),
    Permission.PEOPLE: _("Find and look up everyone, add notes and open cases"),
    Permission.ORIGINS: _(
        "See which accounts share a network or a browser, if they can also look up everyone"
    ),
    Permission.SIGN_UPS: _("Approve sign-ups and create invitations"),
    Permission.SITE: _("Change site rules, word filters, sign-up blocks, templates and settings"),
    Permission.ROLES: _("Create and give roles"),
    Permission.LOG: _("Read the audit log"),
    Permission.OVERVIEW: _("See the overview"),
    Permission.WORKER: _("See the stream worker"),
    Permission.LENS: _("Look through the lens and at the table, with values covered"),
    Permission.COSTS: _("See what the site costs"),
}


class GiveRoleForm(forms.Form):
    """Gives a role to a person. `roles` holds all roles."""

    person = HandleField(label=_("Handle"))
    role = forms.ChoiceField(label=_("Role"))

    def __init__(self, *args: Any, roles: Collection[RoleCard], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["role"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(role.name, role.title) for role in roles]


class LanguagesForm(forms.Form):
    languages = forms.MultipleChoiceField(
        label=_("Languages you read"),
        choices=settings.LANGUAGES,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )


class RoleForm(forms.Form):
    """Offers the permissions in `own`, because nobody can give more than they have."""

    title = PlainTextField(label=_("Name"), max_characters=TITLE_MAX_CHARACTERS)
    permissions = forms.MultipleChoiceField(
        label=_("People with this role can"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one permission.")},
    )

    def __init__(self, *args: Any, own: Collection[Permission], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["permissions"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(one.value, text) for one, text in PERMISSIONS.items() if one in own]

    @property
    def values(self) -> dict[str, Any]:
        chosen = [Permission(name) for name in self.cleaned_data["permissions"]]
        return {"title": self.cleaned_data["title"], "permissions": chosen}
