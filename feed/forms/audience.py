"""The audience of a post."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.circles import Circle
from feed.models import Audience

CIRCLE = "circle:"  # comes before the id of a circle, among the audiences

AUDIENCES = [
    (Audience.EVERYONE.value, _("Everyone")),
    (Audience.FOLLOWERS.value, _("Followers")),
    (Audience.FRIENDS.value, _("Friends")),
    (Audience.ONLY_ME.value, _("Only me")),
]


class AudienceForm(forms.Form):
    """The audience of a post. Offers the author's circles."""

    audience = forms.ChoiceField(
        label=_("Who can see this"),
        choices=AUDIENCES,
        required=False,
        error_messages={"invalid_choice": _("Choose who can see your post.")},
    )

    def __init__(self, *args: Any, circles: Iterable[Circle] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.circles = tuple(circles)
        own = [
            (f"{CIRCLE}{one.circle_id}", gettext("Circle: %(name)s") % {"name": one.name})
            for one in self.circles
        ]
        audience = self.fields["audience"]
        assert isinstance(audience, forms.ChoiceField)
        audience.choices = [*AUDIENCES[:3], *own, *AUDIENCES[3:]]

    def clean(self) -> dict[str, Any]:
        """Returns `audience` and `circle` as the service takes them."""
        values = dict(super().clean() or {})
        chosen = values.get("audience", "")
        if chosen.startswith(CIRCLE):
            values |= {"audience": Audience.CIRCLE, "circle": chosen.removeprefix(CIRCLE)}
        return values
