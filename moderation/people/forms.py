"""The forms of the staff pages of people: searching, and opening a case."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms.account import EmailField
from moderation.cases.forms.report import COMMENT_LIMIT
from socialsite.site.default_rules import OTHER
from socialsite.site.site_rules import site_rules
from socialsite.site.site_setup import SOMETHING_ELSE
from socialsite.web.fields import PlainTextField


class SearchForm(forms.Form):
    q = PlainTextField(label=_("Handle or name"), max_characters=100, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "id_people_%s"  # the page has the search of the whole site too


class EmailSearchForm(forms.Form):
    email = EmailField(
        label=_("Email address"),
        help_text=_(
            "Only the whole address finds an account, and only one that its owner has confirmed. "
            "The audit log will say that you looked."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )


class OpenCaseForm(forms.Form):
    """Asks for the rule that the person broke, and what others should know."""

    rule = forms.ChoiceField(
        label=_("What is wrong?"),
        error_messages={
            "required": _("Choose a reason."),
            "invalid_choice": _("Choose a reason."),
        },
    )
    comment = PlainTextField(
        label=_("What should other moderators know?"),
        max_characters=COMMENT_LIMIT,
        multiline=True,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "id_open_case_%s"  # the page has another form
        field = self.fields["rule"]
        assert isinstance(field, forms.ChoiceField)
        reasons = [(rule.rule_id, rule.reason) for rule in site_rules().rules]
        field.choices = [("", _("Choose a reason.")), *reasons, (OTHER, SOMETHING_ELSE.reason)]

    @property
    def rule_id(self) -> str:
        """Returns the rule, empty for "something else", which names no rule."""
        chosen: str = self.cleaned_data["rule"]
        return "" if chosen == OTHER else chosen
