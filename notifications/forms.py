"""The form for what a person wants to be told."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.profile.forms import SWITCH
from notifications.delivery import NEW_FOR_DAYS
from socialsite.telling import OptOut

FOR_STAFF = OptOut.CASES
ABOUT_PEOPLE = (OptOut.STRANGERS, OptOut.NEWCOMERS)
KINDS = [one for one in OptOut if one not in (FOR_STAFF, *ABOUT_PEOPLE)]

HELP = {
    OptOut.POSTS: _("You choose from whom in the menu of their profile."),
    OptOut.POLLS: _("When a poll of yours ends, or one in which you voted."),
    OptOut.CASES: _(
        "What colleagues assign to you, appeals, and cases that wait long. These come by email once a day too."
    ),
}


class NotificationsForm(forms.Form):
    """Switches that are on for what the person is told. The last two are on for whom they are not told of. Only staff
    have one for cases; what others chose before they lost their role stays."""

    strangers = forms.BooleanField(
        label=OptOut.STRANGERS.label,
        help_text=_("What others like or write won’t notify you. You still see it on your posts."),
        required=False,
        widget=SWITCH,
    )
    newcomers = forms.BooleanField(
        label=OptOut.NEWCOMERS.label,
        help_text=_("Accounts younger than %(days)d days, unless you follow them.")
        % {"days": NEW_FOR_DAYS},
        required=False,
        widget=SWITCH,
    )

    def __init__(
        self, *args: Any, opted_out: Collection[str], is_staff: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.before = opted_out
        self.kinds = [*KINDS, FOR_STAFF] if is_staff else KINDS
        about_people = dict(self.fields)
        self.fields.clear()
        for kind in self.kinds:
            on = kind not in opted_out
            self.fields[kind] = forms.BooleanField(
                label=kind.label,
                help_text=HELP.get(kind, ""),
                required=False,
                widget=SWITCH,
                initial=on,
            )
        self.fields |= about_people
        for name in ABOUT_PEOPLE:
            self.fields[name].initial = name in opted_out

    def opted_out(self) -> list[OptOut]:
        return [one for one in OptOut if self._is_out(one)]

    def _is_out(self, one: OptOut) -> bool:
        if one not in self.fields:
            return one in self.before
        return bool(self.cleaned_data[one]) != (one in self.kinds)
