"""Who can answer a post, and who can quote it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from feed.models import Replies

NOBODY = "nobody"

REPLIES = [
    (Replies.EVERYONE.value, _("Anyone can reply")),
    (Replies.FOLLOWERS.value, _("Your followers can reply")),
    (Replies.FRIENDS.value, _("Your friends can reply")),
    (Replies.MENTIONED.value, _("People you mention can reply")),
    (Replies.NOBODY.value, _("Nobody can reply")),
]


class RepliesForm(forms.Form):
    """Who can reply to a post that is published."""

    replies = forms.ChoiceField(
        label=_("Who can reply"),
        choices=REPLIES,
        required=False,
        error_messages={"invalid_choice": _("Choose who can reply.")},
    )


class ConversationForm(RepliesForm):
    """Who can reply to a post that is published, and whether others can quote it."""

    quotes = forms.ChoiceField(
        label=_("Who can quote this post"),
        choices=[("", _("Anyone can quote it")), (NOBODY, _("Nobody else can quote it"))],
        required=False,
        error_messages={"invalid_choice": _("Choose who can quote it.")},
    )

    def clean(self) -> dict[str, Any]:
        """Returns `quotable` as the service takes it."""
        values = dict(super().clean() or {})
        return values | {"quotable": values.pop("quotes", "") != NOBODY}
