"""What moderators write on a case: a decision (the posts, the starter packs, the parts of the profile, the end, and the
message to the person), notes for each other, and answers to appeals."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard
from accounts.people.restrictions import FOR_EVER
from moderation.cases.cards import PackCard, ReportCard, parts_to_reset
from moderation.cases.decisions import MOST_POSTS, NAMES_POSTS, Decision
from moderation.cases.effects import ON_POSTS, RESTRICTIONS, WITH_NOTICE
from moderation.cases.evidence_cards import EvidenceCard
from moderation.cases.photo_cards import PhotoCard
from moderation.cases.removing import MOST_PICTURES
from moderation.cases.templates import fill, misfit, presets_offered, title_of, values_of
from moderation.cases.words import default_text, language_of
from moderation.models import WITHOUT_EFFECT, ActionKind, CaseKind
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import rule_of, site_rules
from socialsite.site_settings.site_setup import CHILD, CHILD_RULE, DANGER, OTHER, Rule
from socialsite.table import ids
from socialsite.web.fields import PlainTextField
from socialsite.web.preferences import ago
from socialsite.web.templatetags.site import plain_text


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule, with the reports that name it, each as often as its reporter wrote something about it."""

    rule: Rule
    reports: list[ReportCard]

    @property
    def people(self) -> int:
        """Returns how many people name it. Nothing tells deleted accounts apart, but their moments."""
        return len({one.reporter.user_id if one.reporter else one.iso for one in self.reports})

    @property
    def said(self) -> list[ReportCard]:
        return [report for report in self.reports if report.comment]

    @property
    def silent(self) -> list[ReportCard]:
        """The reporters who named the rule without a comment."""
        return [report for report in self.reports if not report.comment]


def grouped(reports: Iterable[ReportCard]) -> list[Reason]:
    """Returns the reports of this round by rule, the gravest first, then the one that most name. Who named several
    rules stands under each."""
    by_rule: dict[str, list[ReportCard]] = {}
    for report in reports:
        for said in (*report.before, report) if report.is_of_this_round else ():
            by_rule.setdefault(rule_of(said.rule_id).rule_id, []).append(said)
    reasons = [Reason(rule_of(rule_id), reports) for rule_id, reports in by_rule.items()]
    return sorted(reasons, key=lambda reason: (reason.rule.severity, -len(reason.reports)))


UNTIL_LIFTED = "ever"
ENDS = [
    ("1", _("1 day")),
    ("3", _("3 days")),
    ("7", _("1 week")),
    ("30", _("30 days")),
    (UNTIL_LIFTED, pgettext_lazy("how long", "Until lifted")),
]
NO_SUSPENSION = "none"
SUSPENDED_WITH_IT = [
    (NO_SUSPENSION, _("Don’t suspend the account")),
    ("30", _("Suspend it for 30 days")),
    (UNTIL_LIFTED, _("Suspend it until lifted")),
]
DEFAULT, OWN_WORDS = "default", "none"
# A form that was open while someone changed the site's rules.
RULE_ERRORS = {
    "required": _("Choose the rule."),
    "invalid_choice": _("This rule no longer exists. Choose another."),
}
PRESET_ERRORS = {"invalid_choice": _("This message no longer exists. Choose another.")}
NO_RULES = {OTHER, DANGER}  # reasons of reports that nobody breaks
HAS_END = {*RESTRICTIONS, ActionKind.REMOVE} - {ActionKind.DECLINE}
NAMES_RULE = WITH_NOTICE - {ActionKind.DECLINE}
CHOOSES_POSTS = ON_POSTS & {ActionKind.SENSITIVE, ActionKind.HIDE}


class DecideForm(forms.Form):
    """Has the fields that the action needs. `evidence` holds the posts to choose from, `packs` the starter packs,
    `pictures` those that can be removed, `person` the parts of the profile, `reasons` the rules that reports name, and
    `language` is the person's. A rule is chosen beforehand only where all reports name the same one, or one of them a
    sexual picture of a child that is removed."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    posts = forms.MultipleChoiceField(
        label=_("Posts"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": _("One of these posts is not in this case. Choose again.")
        },
    )
    packs = forms.MultipleChoiceField(
        label=_("Starter packs"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose at least one starter pack."),
            "invalid_choice": _("One of these starter packs is no longer offered. Choose again."),
        },
    )
    parts = forms.MultipleChoiceField(
        label=_("Parts of the profile"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": _("One of these parts has nothing in it any more. Choose again.")
        },
    )
    pictures = forms.MultipleChoiceField(
        label=_("Pictures"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose at least one picture."),
            "invalid_choice": _("One of these pictures is not in this case. Choose again."),
        },
    )
    end = forms.ChoiceField(
        label=_("For how long"), choices=ENDS, initial="7", widget=forms.RadioSelect
    )
    rule = forms.ChoiceField(label=_("Rule that was broken"), error_messages=RULE_ERRORS)
    preset = forms.ChoiceField(
        label=_("What we tell them"), initial=DEFAULT, error_messages=PRESET_ERRORS
    )
    words = PlainTextField(
        label=_("In your own words"), max_characters=500, multiline=True, required=False
    )
    keep_open = forms.BooleanField(label=_("Keep the case open to do more"), required=False)

    def __init__(
        self,
        *args: Any,
        kind: ActionKind,
        case_kind: CaseKind,
        evidence: Collection[EvidenceCard],
        packs: Collection[PackCard],
        pictures: Collection[PhotoCard],
        person: PersonCard | None,
        reasons: Collection[Reason],
        language: str,
        last_preset: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.kind, self.person, self.language, self.evidence = kind, person, language, evidence
        self.own_presets = presets_offered(kind)
        self.presets = {
            DEFAULT: default_text(kind, language),
            **{
                preset.preset_id: preset.words_in(language_of(language)).text
                for preset in self.own_presets
            },
            OWN_WORDS: "",
        }
        self._keep("end", kind in HAS_END)
        self._keep("pictures", kind == ActionKind.REMOVE)
        self._keep("posts", kind in CHOOSES_POSTS or (kind in NAMES_POSTS and bool(evidence)))
        self._keep("packs", kind == ActionKind.WITHDRAW)
        self._keep("parts", kind == ActionKind.RESET)
        self._keep("rule", kind in NAMES_RULE)
        self._keep("preset", kind in WITH_NOTICE)
        self._keep("words", kind in WITH_NOTICE)
        self._keep("keep_open", case_kind == CaseKind.PERSON and kind not in WITHOUT_EFFECT)
        if "posts" in self.fields:
            there = {card.post_id for card in evidence if card.can_be_acted_on}
            self._choices("posts", [(post_id, post_id) for post_id in sorted(there)])
            if kind in NAMES_POSTS:
                self.fields["posts"].label = _("Posts that we name to them")
        if "parts" in self.fields:
            self._choices("parts", parts_to_reset(person, packs))
            if packs:
                self.fields["parts"].label = _("Parts of the profile and of starter packs")
        if "packs" in self.fields:
            offered = {one.list_id: one.title_now for one in packs if one.can_be_acted_on}
            self._choices("packs", [*offered.items()])
            if len(offered) == 1:
                self.fields["packs"].initial = [*offered]
        if "pictures" in self.fields:
            self._offer_pictures(pictures, person)
        if "rule" in self.fields:
            self._choices("rule", _rules(reasons))
            named = [reason.rule.rule_id for reason in reasons]
            is_clear = len(named) == 1 and named[0] not in NO_RULES
            self.fields["rule"].initial = named[0] if is_clear else ""
            if kind == ActionKind.REMOVE and CHILD in named:
                self.fields["rule"].initial = CHILD
            if self.must_choose:
                self.fields["rule"].widget.attrs["autofocus"] = True
        if "preset" in self.fields:
            titles = [(one.preset_id, title_of(one)) for one in self.own_presets]
            first, last = (DEFAULT, _("Standard message")), (OWN_WORDS, _("Only my own words"))
            self._choices("preset", [first, *titles, last])
            chosen_rule = str(self.fields["rule"].initial or "") if "rule" in self.fields else ""
            fits = not misfit(self.own_presets, last_preset, chosen_rule)
            if last_preset in self.presets and fits:
                self.fields["preset"].initial = last_preset

    def _offer_pictures(self, pictures: Collection[PhotoCard], person: PersonCard | None) -> None:
        """Offers those of which the case has a copy, all of them chosen. Nobody suspends someone of the staff."""
        names = {one.name: _in_words(one) for one in pictures if one.name}
        self._choices("pictures", [*names.items()])
        self.fields["pictures"].initial = [*names][:MOST_PICTURES]
        self._choices("end", SUSPENDED_WITH_IT)
        self.fields["end"].label = _("The account")
        self.fields["end"].initial = UNTIL_LIFTED
        if person and person.role:
            del self.fields["end"]

    @property
    def tells(self) -> bool:
        """Whether the person gets a message about it."""
        return "preset" in self.fields

    @property
    def must_choose(self) -> bool:
        """Whether the form is new and has no rule yet."""
        return not self.is_bound and "rule" in self.fields and not self.fields["rule"].initial

    def clean_posts(self) -> list[str]:
        posts: list[str] = self.cleaned_data["posts"]
        if len(posts) > MOST_POSTS:
            raise ValidationError(
                ngettext("Choose at most %(n)d post.", "Choose at most %(n)d posts.", MOST_POSTS)
                % {"n": MOST_POSTS},
                code="too many",
            )
        if not posts and self.kind in CHOOSES_POSTS:
            raise ValidationError(_("Choose at least one post."), code="required")
        return posts

    def clean_pictures(self) -> list[str]:
        pictures: list[str] = self.cleaned_data["pictures"]
        if len(pictures) > MOST_PICTURES:
            raise ValidationError(
                ngettext(
                    "Choose at most %(n)d picture.", "Choose at most %(n)d pictures.", MOST_PICTURES
                )
                % {"n": MOST_PICTURES},
                code="too many",
            )
        return pictures

    def clean_parts(self) -> list[str]:
        parts: list[str] = self.cleaned_data["parts"]
        if not parts:
            raise ValidationError(_("Choose at least one part."), code="required")
        return parts

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("preset") == OWN_WORDS and not data.get("words") and "words" not in self.errors:
            self.add_error("words", _("Write a message to them."))
        if wrong := misfit(self.own_presets, data.get("preset", ""), data.get("rule", "")):
            self.add_error("preset", wrong)
        return data

    def decision(self) -> Decision:
        """Returns the decision, or the valid parts of it if the form has errors."""
        data = getattr(self, "cleaned_data", {})
        return Decision(
            kind=self.kind,
            posts=tuple(data.get("posts", ())),
            parts=tuple(data.get("parts", ())),
            packs=tuple(data.get("packs", ())),
            pictures=tuple(data.get("pictures", ())),
            until=self._until(data),
            text=self._text(data),
            keep_open=bool(data.get("keep_open")),
            rule_id="" if (rule := data.get("rule", "")) == OTHER else rule,
        )

    def _until(self, data: dict[str, Any]) -> str:
        """Returns the end. Where pictures are removed, an empty one suspends nobody."""
        if self.kind != ActionKind.REMOVE:
            return _until(data.get("end", UNTIL_LIFTED))
        end = data.get("end", NO_SUSPENSION)
        return "" if end == NO_SUSPENSION else _until(end) or FOR_EVER

    def _text(self, data: dict[str, Any]) -> str:
        """Returns the template's text with its fields filled in, then the moderator's own words."""
        text = self.presets.get(data.get("preset", ""), "")
        if any(one.preset_id == data.get("preset") for one in self.own_presets):
            text = fill(text, self._values(data))
        return "\n\n".join(filter(None, [text, data.get("words", "")]))

    def _values(self, data: dict[str, Any]) -> dict[str, str]:
        """Returns what fields stand for. A post is the first that is chosen, and of a held post that one. What the
        moderator has not seen is not repeated."""
        chosen = data.get("posts", ())
        about = (
            one for one in self.evidence if one.post_id in chosen or "posts" not in self.fields
        )
        post = next(about, None)
        return values_of(
            self.language,
            person=self.person,
            rule_id=data.get("rule", ""),
            until=self._until(data),
            post=plain_text(post.html) if post else "",
        )

    def _keep(self, name: str, wanted: bool) -> None:
        if not wanted:
            del self.fields[name]

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


def _in_words(photo: PhotoCard) -> str:
    """Returns which picture it is, without showing anything of it."""
    if photo.part:
        return photo.alt
    where = gettext("Photo %(n)d of a private message, %(ago)s")
    if photo.post_id:
        where = gettext("Photo %(n)d of a post, %(ago)s")
    elif not photo.message_id:
        where = gettext("Photo that the site found, %(ago)s")
    shown = photo.shown_in or photo.photo_id
    return where % {"n": photo.number, "ago": ago(ids.time_of(shown))}


def _rules(reasons: Collection[Reason]) -> list[tuple[str, Any]]:
    """Returns the choices: the rules that reports name, most named first, then the site's others, then none."""
    named = [reason for reason in reasons if reason.rule.rule_id not in NO_RULES]
    first = sorted(named, key=lambda reason: -len(reason.reports))
    there = {reason.rule.rule_id for reason in named}
    return [
        ("", _("Choose…")),
        *((reason.rule.rule_id, _with_count(reason)) for reason in first),
        *([] if CHILD in there else [(CHILD, CHILD_RULE.title)]),
        *((rule.rule_id, rule.title) for rule in site_rules().rules if rule.rule_id not in there),
        (OTHER, _("No particular rule")),
    ]


def _with_count(reason: Reason) -> str:
    count = len(reason.reports)
    text = ngettext("%(rule)s · %(n)d report", "%(rule)s · %(n)d reports", count)
    return text % {"rule": reason.rule.title, "n": count}


def _until(end: str) -> str:
    """Returns the moment, empty for no end."""
    if end == UNTIL_LIFTED:
        return ""
    return (utc_now() + timedelta(days=int(end))).isoformat()


GRANT, REFUSE, ASK = "grant", "refuse", "ask"


class CaseForm(forms.Form):
    """A form on the page of a case, which has several."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"id_{type(self).__name__.lower()}_%s")
        super().__init__(*args, **kwargs)


class NoteForm(CaseForm):
    text = PlainTextField(label=_("Note for other moderators"), max_characters=500, multiline=True)


class AnswerForm(CaseForm):
    """Grants or rejects an appeal, or asks the person something. A rejection or a question needs a text."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    answer = forms.ChoiceField(
        choices=[(one, one) for one in (GRANT, REFUSE, ASK)], widget=forms.HiddenInput
    )
    words = PlainTextField(
        label=_("Your answer"),
        help_text=_("They will not see your name."),
        max_characters=500,
        multiline=True,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("answer") != GRANT and not data.get("words") and "words" not in self.errors:
            self.add_error("words", _("Explain why, or write your question."))
        return data

    @property
    def grant(self) -> bool | None:
        return {GRANT: True, REFUSE: False}.get(self.cleaned_data["answer"])
