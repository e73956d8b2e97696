"""The forms of the staff pages of people: searching, and opening a case."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.credentials.forms import EmailField
from accounts.sign_in.browsers import origin_network
from moderation.reports.forms import COMMENT_LIMIT
from socialsite.hosts import is_host, normal_host
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import OTHER, SOMETHING_ELSE
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


class DomainSearchForm(forms.Form):
    domain = PlainTextField(
        label=_("Email domain"),
        help_text=_(
            "Such as example.com. Only accounts that have confirmed an address of this very domain "
            "are found. The audit log will say that you looked."
        ),
        max_characters=253,
    )

    def clean_domain(self) -> str:
        typed: str = self.cleaned_data["domain"]
        domain = normal_host(typed.rpartition("@")[2])
        if not is_host(domain):
            raise ValidationError(_("Write the domain like example.com."), code="domain")
        return domain


class NetworkSearchForm(forms.Form):
    network = PlainTextField(
        label=_("Network"),
        help_text=_(
            "An address, or a range such as 203.0.113.0/24. Everyone who signed in from its network "
            "in the last 90 days is found. The audit log will say that you looked."
        ),
        max_characters=50,
    )

    def clean_network(self) -> str:
        """Returns the network as it is noted: the /24 or /64 of an address, or such a range itself."""
        typed: str = self.cleaned_data["network"]
        address, _slash, width = typed.strip().partition("/")
        network = origin_network(address)
        if not network:
            raise ValidationError(
                _("Write the network like 203.0.113.0/24."),
                code="network",
            )
        least = network.rpartition("/")[2]
        if width and not (width.isdecimal() and int(least) <= int(width)):
            text = _("Networks are known as /%(width)s alone. Choose a smaller range.")
            raise ValidationError(text, code="wide", params={"width": least})
        return network


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
