"""What the page is asked: how many days it looks back on, and what the forecast assumes."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

DAYS = {7: _("7 days"), 30: _("30 days"), 1: _("Today")}
DEFAULTS = {"days": "7", "active": "20", "followers": "1"}


class CostForm(forms.Form):
    days = forms.TypedChoiceField(label=_("Look back on"), choices=list(DAYS.items()), coerce=int)
    active = forms.FloatField(
        label=_("People here on a day, in percent"), min_value=0.1, max_value=100
    )
    followers = forms.FloatField(
        label=_("Followers, times as many as now"), min_value=0.1, max_value=10_000
    )

    @classmethod
    def asked(cls, asked: QueryDict) -> "CostForm":
        """The form with what was asked. What was not asked for is as usual."""
        given: dict[str, Any] = {name: asked[name] for name in DEFAULTS if name in asked}
        return cls(DEFAULTS | given)

    @classmethod
    def usual(cls) -> "CostForm":
        form = cls(DEFAULTS)
        form.is_valid()
        return form
