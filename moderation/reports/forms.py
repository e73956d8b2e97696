"""The forms for reporting a person, a post or private messages, and for an appeal against a decision."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.people.reads import find_user_by_handle
from chats.reads import MessageCard
from moderation.cases.chat_evidence import MOST_CHOSEN
from relations.reads import Relationship
from socialsite.site_settings.help_lines import HelpLine
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import (
    CHILD,
    CHILD_RULE,
    DANGER,
    IMPERSONATION,
    IN_DANGER,
    OTHER,
    SOMETHING_ELSE,
    Rule,
)
from socialsite.table import NotFound
from socialsite.web.fields import PlainTextField

COMMENT_LIMIT = 500


class ReportForm(forms.Form):
    """The template (`moderation/cases/_report_form.html`) draws the fields itself. A block or mute that is already in
    force is not offered, and neither is without a `relationship`: it is about several people. `version` is the one of
    the post that the reporter saw. `person_id` is the one person whom they can say to pretend to be another."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose a reason."),
            "invalid_choice": _("Choose a reason."),
        },
    )
    comment = PlainTextField(
        label=_("What should a moderator know?"),
        help_text=_("You can leave this empty, unless you choose “Something else”."),
        max_characters=COMMENT_LIMIT,
        multiline=True,
        required=False,
    )
    original = PlainTextField(
        label=_("Whom do they pretend to be?"),
        help_text=_("The handle of the real account, if there is one here."),
        max_characters=60,
        required=False,
    )
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    also_mute = forms.BooleanField(label=_("Mute this person too"), required=False)
    also_block = forms.BooleanField(label=_("Block this person too"), required=False)

    original_id = ""

    def __init__(
        self,
        *args: Any,
        relationship: Relationship | None,
        person_id: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.person_id = person_id
        if not person_id or not any(one.rule_id == IMPERSONATION for one in site_rules().rules):
            del self.fields["original"]
        reasons = [(rule.rule_id, rule.reason) for rule in site_rules().rules]
        reason = self.fields["reason"]
        assert isinstance(reason, forms.ChoiceField)
        first = [(DANGER, IN_DANGER.reason), (CHILD, CHILD_RULE.reason)]
        reason.choices = [*first, *reasons, (OTHER, SOMETHING_ELSE.reason)]
        if relationship is None or relationship.mutes or relationship.blocks:
            del self.fields["also_mute"]
        if relationship is None or relationship.blocks:
            del self.fields["also_block"]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        is_unsaid = "comment" in values and not values["comment"]
        if values.get("reason") == OTHER and is_unsaid:
            self.add_error("comment", _("Tell us in a sentence what’s wrong."))
        if values.get("reason") == IMPERSONATION and values.get("original"):
            self._find_original(values["original"])
        return values

    def _find_original(self, typed: str) -> None:
        """A block between the two hides nobody here: what is named is for moderators alone."""
        try:
            found = find_user_by_handle(typed.removeprefix("@").lower(), or_former=True)
        except NotFound:
            self.add_error("original", _("There is nobody with this handle."))
            return
        if found == self.person_id:
            self.add_error("original", _("This is the account that you report."))
        self.original_id = found

    @property
    def rule(self) -> Rule:
        return site_rules().rule_of(self.cleaned_data["reason"])

    @property
    def rule_id(self) -> str:
        """Returns the rule, empty for "something else", which names no rule."""
        chosen: str = self.cleaned_data["reason"]
        return "" if chosen == OTHER else chosen

    @property
    def help_lines(self) -> list[HelpLine]:
        """Returns who helps in the reporter's country."""
        return site_rules().help_for(get_current_timezone_name())[0]

    @property
    def names_danger(self) -> bool:
        return self.rule_id == DANGER

    @property
    def mutes(self) -> bool:
        return bool(self.cleaned_data.get("also_mute"))

    @property
    def blocks(self) -> bool:
        return bool(self.cleaned_data.get("also_block"))


class MessagesForm(ReportForm):
    """Reports private messages, those that are chosen among the ones on the page."""

    messages = forms.MultipleChoiceField(
        label=_("Which messages?"),
        error_messages={
            "required": _("Choose at least one message."),
            "invalid_choice": _("One of these messages is gone. Choose again."),
        },
    )

    def __init__(self, *args: Any, offered: Sequence[MessageCard], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = offered
        field = self.fields["messages"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(one.message_id, one.message_id) for one in offered]

    def clean_messages(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["messages"]
        if len(chosen) > MOST_CHOSEN:
            raise forms.ValidationError(
                ngettext(
                    "Choose at most %(n)d message.", "Choose at most %(n)d messages.", MOST_CHOSEN
                )
                % {"n": MOST_CHOSEN},
                code="too many",
            )
        return chosen

    @property
    def rows(self) -> list[tuple[MessageCard, bool]]:
        """Returns the messages, each with whether it is chosen."""
        chosen = self["messages"].value() or ()
        return [(one, one.message_id in chosen) for one in self.offered]


APPEAL_LIMIT = 500


class AppealForm(forms.Form):
    """The first text of an appeal, or with `goes_on` a further one."""

    text = PlainTextField(
        label=_("What did we get wrong?"),
        max_characters=APPEAL_LIMIT,
        multiline=True,
        error_messages={"required": _("Write something first.")},
    )

    def __init__(self, *args: Any, goes_on: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if goes_on:
            self.fields["text"].label = _("What would you like to add?")
