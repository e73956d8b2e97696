"""The forms for kind words to somebody in danger, and for who helps in which country."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Permission, RoleCard
from socialsite.site_settings.help_lines import LONGEST, BadLine, read_lines
from socialsite.web.fields import PlainTextField


class SendHelpForm(forms.Form):
    words = PlainTextField(
        label=_("What we write to them"),
        help_text=_("They will not see your name. Below it stand the numbers for their country."),
        max_characters=800,
        multiline=True,
        error_messages={"required": _("Write something first.")},
    )


class HelpLinesForm(forms.Form):
    lines = PlainTextField(
        label=_("Who helps"),
        help_text=_(
            "One per line: country | name | number | address. The country has two letters, such as DE. Number or "
            "address may be left out."
        ),
        max_characters=LONGEST,
        multiline=True,
    )
    role = forms.ChoiceField(
        label=_("Who is told at once"),
        help_text=_(
            "By a notification and by letter, for each new report that somebody is in danger."
        ),
        required=False,
    )

    def __init__(self, *args: Any, roles: list[RoleCard], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["role"]
        assert isinstance(field, forms.ChoiceField)
        named = [(role.name, role.title) for role in roles if Permission.CASES in role.permissions]
        field.choices = [("", _("Everyone who decides cases")), *named]

    def clean_lines(self) -> str:
        text: str = self.cleaned_data["lines"]
        try:
            read_lines(text)
        except BadLine as error:
            said = _("“%(line)s” can’t be read. Write it like DE | TelefonSeelsorge | 0800 1110111")
            raise ValidationError(said, code="line", params={"line": str(error)[:80]}) from error
        return text
