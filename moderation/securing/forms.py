"""The form that secures an account: what of it is hidden and ended."""

from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.securing import WaysIn
from moderation.securing.reads import MOST_SHOWN
from moderation.securing.writes import Securing
from socialsite.table import ids


class SecureForm(forms.Form):
    """`posts` come as checkboxes of their own; one that is gone meanwhile is left alone."""

    press = forms.CharField(widget=forms.HiddenInput)
    address = forms.BooleanField(required=False)
    factor = forms.BooleanField(required=False)
    passkeys = forms.MultipleChoiceField(
        label=_("Passkeys to end"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, ways: WaysIn, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "id_secure_%s"
        self.fields["address"].label = self._since(
            gettext("Bring back the address from before %(day)s"), ways.address_since
        )
        self.fields["factor"].label = self._since(
            gettext("End two-step verification, which was set up on %(day)s"), ways.factor_since
        )
        passkeys = self.fields["passkeys"]
        assert isinstance(passkeys, forms.MultipleChoiceField)
        passkeys.choices = [
            (one.credential_hash, f"{one.name} ({date_format(one.created, 'DATE_FORMAT')})")
            for one in ways.passkeys
        ]
        shown = {
            "address": ways.can_undo_address,
            "factor": ways.factor_since is not None,
            "passkeys": bool(ways.passkeys),
        }
        for name, is_shown in shown.items():
            if not is_shown:
                del self.fields[name]

    @staticmethod
    def _since(text: str, moment: Any) -> str:
        return text % {"day": date_format(moment, "DATE_FORMAT") if moment else ""}

    def clean_press(self) -> str:
        press: str = self.cleaned_data["press"]
        if not ids.is_id(press):
            raise forms.ValidationError(gettext("Open this page again."), code="press")
        return press

    def wish(self, posts: list[str], *, case: bool) -> Securing:
        """Returns what was chosen, with those of the posts that are ids, at most 100."""
        found = self.cleaned_data
        return Securing(
            press=found["press"],
            posts=tuple(dict.fromkeys(one for one in posts[:MOST_SHOWN] if ids.is_id(one))),
            passkeys=tuple(found.get("passkeys", ())),
            ends_factor=bool(found.get("factor")),
            brings_address_back=bool(found.get("address")),
            case=case,
        )
