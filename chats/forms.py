"""What people type into a conversation, and how they want to be written to."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.profile.forms import SWITCH
from chats.models import CHOICES_OF_DAYS
from chats.standing import Writers
from photos.forms import ChosenPhotosForm
from socialsite.table import ids
from socialsite.web.fields import PlainTextField

MESSAGE_CHARACTERS = 2_000
MESSAGE_BYTES = 8_000
ID = rf"^{ids.PATTERN}$"


class MessageForm(ChosenPhotosForm):
    """A message, which needs no words if it has photos. `nonce` makes sending it twice harmless, `answers` names the
    message that it answers, `shown` is the newest on the page, and `to` is the person for whom that was made: the
    handle in its address may be someone else's by now."""

    twice = _("A photo can be in a message only once.")
    too_many = _("A message has room for %(n)d photos. We kept the first %(n)d.")

    content = PlainTextField(
        label=_("Message"),
        max_characters=MESSAGE_CHARACTERS,
        max_bytes=MESSAGE_BYTES,
        multiline=True,
        required=False,
    )
    nonce = forms.RegexField(
        ID,
        widget=forms.HiddenInput,
        max_length=26,
        error_messages={"invalid": _("This form has expired. Reload the page and try again.")},
    )
    answers = forms.RegexField(ID, widget=forms.HiddenInput, max_length=26, required=False)
    to = forms.RegexField(ID, widget=forms.HiddenInput, max_length=26, required=False)
    shown = forms.RegexField(ID, widget=forms.HiddenInput, max_length=26, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"nonce": ids.new_id()} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        self.fields["content"].widget.attrs |= {
            "rows": 1,
            "id": "message-text",
            "placeholder": _("Write a message"),
        }

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if values.get("content") == "" and not self.wished:
            self.add_error("content", _("Write something first."))
        return values


DAYS = {
    1: _("1 day"),
    7: _("7 days"),
    30: _("30 days"),
    365: _("1 year"),
}


class DaysForm(forms.Form):
    days = forms.TypedChoiceField(
        label=_("Messages disappear after"),
        choices=[(days, DAYS[days]) for days in CHOICES_OF_DAYS],
        coerce=int,
    )


class MuteChatForm(forms.Form):
    """For how long a conversation rings no bell; empty: it rings again."""

    length = forms.ChoiceField(
        label=pgettext_lazy("a conversation", "Mute"),
        choices=[
            ("8 hours", _("For 8 hours")),
            ("1 week", _("For a week")),
            ("always", _("Until I unmute it")),
        ],
        required=False,
    )


class ChatSettingsForm(forms.Form):
    """A person's choice of who may write to them, and whether others learn what they have read."""

    writers = forms.ChoiceField(
        label=_("Who can write to you"),
        choices=[
            (Writers.EVERYONE.value, _("Everyone: people you don’t know ask first")),
            (Writers.FOLLOWING.value, _("People you follow, and friends")),
            (Writers.FRIENDS.value, pgettext_lazy("who can write", "Friends")),
            (Writers.NOBODY.value, _("Nobody new")),
        ],
        widget=forms.RadioSelect,
        required=False,
        help_text=_("Conversations that you already have go on."),
    )
    shows_seen = forms.BooleanField(
        label=_("Show when you have seen a message"),
        required=False,
        widget=SWITCH,
        help_text=_("While this is off, you don’t see when others have seen yours."),
    )
