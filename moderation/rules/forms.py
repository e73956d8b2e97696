"""The forms for how the site is set up: its rules and settings, word filters, blocked email domains and
networks (several at once, one on each line), and invitations."""

from datetime import UTC, date, datetime, time, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.profile.forms import SWITCH
from moderation.cases.translation import is_pattern
from moderation.pictures.forms import pause_field
from socialsite.hosts import is_host, normal_host
from socialsite.site_settings.site_setup import (
    MINOR,
    SERIOUS,
    URGENT,
    AddressEffect,
    SignUp,
    SiteRules,
    readers_language,
    site_languages,
)
from socialsite.site_settings.word_filters import (
    DAYS_LIMITED,
    STAR,
    WILD,
    Effect,
    Option,
    Word,
    WordKind,
    is_star_idle,
)
from socialsite.web.fields import PlainTextField


def language_field() -> forms.ChoiceField:
    """Asks for the language of new words. That of the page is chosen first."""
    return forms.ChoiceField(
        label=_("Language"),
        help_text=_("The language you write in. You can add the others once it is saved."),
        choices=settings.LANGUAGES,
        initial=readers_language,
    )


SEVERITIES = [
    (URGENT, _("Urgent: people are in danger")),
    (SERIOUS, _("Serious")),
    (MINOR, _("Minor")),
]


class RuleForm(forms.Form):
    title = PlainTextField(label=_("Rule"), max_characters=100)
    reason = PlainTextField(
        label=_("As a reason for a report"),
        help_text=_(
            "What people choose when they report a breach: “Spam” for the rule “No spam”. "
            "Leave it empty to name the rule itself."
        ),
        max_characters=100,
        required=False,
    )
    text = PlainTextField(
        label=_("What it means"),
        help_text=_("One or two sentences, as you would say them to someone."),
        max_characters=500,
        multiline=True,
    )
    severity = forms.TypedChoiceField(
        label=_("How serious a breach is"),
        help_text=_("Reports take their severity from it. Cases that are open keep theirs."),
        choices=SEVERITIES,
        coerce=int,
        initial=SERIOUS,
    )


class NewRuleForm(RuleForm):
    field_order = ["language"]
    language = language_field()


ONE_DAY, A_SECOND = timedelta(days=1), timedelta(seconds=1)
MOST_YEARS = 10


def banner_field(language: str, help_text: Promise | str) -> PlainTextField:
    return PlainTextField(
        label=format_lazy("{} ({})", _("Banner"), dict(settings.LANGUAGES)[language]),
        help_text=help_text,
        max_characters=500,
        multiline=True,
        required=False,
    )


class SiteSettingsForm(forms.Form):
    """The template (`moderation/rules/site.html`) draws the fields itself."""

    sign_up = forms.ChoiceField(
        label=_("Who can sign up"),
        choices=[
            (SignUp.OPEN, _("Anyone")),
            (SignUp.INVITE, _("People with an invitation")),
            (SignUp.APPROVAL, _("Anyone, once a moderator approves them")),
            (SignUp.CLOSED, _("Nobody")),
        ],
        widget=forms.RadioSelect,
    )
    sign_ups_a_day = forms.IntegerField(
        label=_("New accounts per day"),
        help_text=_("After that, new accounts wait for approval. Enter 0 for no limit."),
        min_value=0,
        max_value=100_000,
    )
    hold_first_posts = forms.IntegerField(
        label=_("First posts held for review"),
        help_text=_(
            "How many of a new member’s posts a moderator reviews before anyone else sees "
            "them. Enter 0 for none."
        ),
        min_value=0,
        max_value=50,
    )
    looks_before_pause = pause_field()
    banner = banner_field(settings.LANGUAGE_CODE, _("Shown to everyone, on every page."))
    banner_until = forms.DateField(
        label=_("Last day of the banner"),
        help_text=_("Leave it empty to show the banner until you remove it."),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    public_log = forms.BooleanField(
        label=_("Public moderation log"),
        help_text=_("Everyone can read what moderators did and why, but not to whom."),
        required=False,
        widget=SWITCH,
    )
    log_shows_names = forms.BooleanField(
        label=_("Show moderators’ names"),
        help_text=_("The moderation log says which moderator acted."),
        required=False,
        widget=SWITCH,
    )

    translate_url = forms.CharField(
        label=_("Translation service"),
        help_text=_(
            "Moderators then get a link beside public posts in other languages. {text} becomes the post, which the "
            "service reads once a moderator presses the link; {to} becomes their language. Example: "
            "https://translate.example/?to={to}&text={text}. Leave it empty for no links."
        ),
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, site: SiteRules, **kwargs: Any) -> None:
        names = self.base_fields
        initial = {name: getattr(site, name) for name in names}
        initial["banner_until"] = _last_day(site.banner_until)
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        self.site = site
        self._others = {f"banner_in_{code}": code for code in site_languages()[1:]}
        for name, code in self._others.items():
            self.fields[name] = banner_field(code, _gap(site, code))
            self.initial[name] = site.banners.get(code, "")

    @property
    def other_banners(self) -> list[forms.BoundField]:
        """Returns the fields of the banner in languages other than the site's own."""
        return [self[name] for name in self._others]

    @property
    def settings(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.base_fields}

    @property
    def banners(self) -> dict[str, str]:
        """Returns the banner in languages other than the site's own, where it has one."""
        typed = {code: self.cleaned_data[name] for name, code in self._others.items()}
        return {code: text for code, text in typed.items() if text}

    def clean_translate_url(self) -> str:
        url: str = self.cleaned_data["translate_url"]
        if url and not is_pattern(url):
            raise ValidationError(
                _("Write an address that begins with https:// and has {text} once."), code="address"
            )
        return url

    def clean_banner_until(self) -> str:
        """Returns the end of that day in the person's time zone, as it is stored, empty for none.

        A day that was not changed keeps its end, which someone in another zone may have set.
        """
        day: date | None = self.cleaned_data["banner_until"]
        if day and day.year > timezone.localdate().year + MOST_YEARS:
            raise ValidationError(_("Choose an earlier day."), code="late")
        if not day or day == _last_day(self.site.banner_until):
            return self.site.banner_until if day else ""
        midnight = timezone.make_aware(datetime.combine(day + ONE_DAY, time()))
        return midnight.astimezone(UTC).isoformat()


def _gap(site: SiteRules, language: str) -> str:
    """Returns what people who read this language see instead, if anything."""
    if language in site.banners or not (site.banner or site.banners):
        return ""
    return gettext("Missing. They see the banner in another language until you write it.")


def _last_day(until: str) -> date | None:
    return timezone.localdate(datetime.fromisoformat(until) - A_SECOND) if until else None


EFFECTS = [
    (Effect.FLAG, gettext_lazy("Publish it and report it to moderators")),
    (Effect.HOLD, gettext_lazy("Hold it for review")),
    (Effect.REFUSE, gettext_lazy("Reject it and name the rule")),
    (Effect.LIMIT, gettext_lazy("Publish it, report it and limit the account")),
]
OPTIONS = [
    (Option.ALIKE, gettext_lazy("Letters that look alike, such as a Cyrillic о in “cаsinо”")),
    (Option.LEET, gettext_lazy("Digits and signs for letters: “c4$1n0”")),
    (Option.SPACED, gettext_lazy("Spaces and signs between letters: “c a s i n o”, “cas-ino”")),
]


class WordForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("Match posts that contain"),
        choices=[
            (WordKind.WORD, gettext_lazy("A word or phrase")),
            (WordKind.LINK, gettext_lazy("A link to a site or its subdomains")),
        ],
    )
    pattern = PlainTextField(
        label=gettext_lazy("Word, phrase or site"),
        help_text=gettext_lazy(
            "Matches whole words, in upper or lower case. A star stands for the rest of a word: casino* finds "
            "“casinos” too, and *casino “mycasino”. For a link, only the host name counts."
        ),
        max_characters=100,
    )
    options = forms.MultipleChoiceField(
        label=gettext_lazy("Also find it written with"),
        help_text=gettext_lazy("For words only. The trial shows what they catch by mistake."),
        choices=OPTIONS,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    effect = forms.ChoiceField(
        label=gettext_lazy("What happens"),
        help_text=gettext_lazy(
            "In private messages filters read only the first message to a stranger, as no moderator sees it: all but "
            "the first choice reject it."
        ),
        choices=EFFECTS,
    )
    days = forms.IntegerField(
        label=gettext_lazy("If it limits the account: for how many days"),
        help_text=gettext_lazy(
            "The author is told why, and can appeal. Dismissing the reports lifts the limit."
        ),
        min_value=1,
        max_value=365,
        initial=DAYS_LIMITED,
        required=False,
    )
    site_rule = forms.ChoiceField(
        label=gettext_lazy("Rule it breaks"),
        help_text=gettext_lazy(
            "If a post is rejected or an account limited, its author is told this rule."
        ),
        required=False,
        error_messages={
            "invalid_choice": gettext_lazy("This rule no longer exists. Choose another.")
        },
    )

    def __init__(self, *args: Any, site: SiteRules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = [(rule.rule_id, rule.title) for rule in site.rules]
        offered = self.fields["site_rule"]
        assert isinstance(offered, forms.ChoiceField)
        offered.choices = [("", gettext_lazy("No rule")), *rules]

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        if values.get("pattern") and "kind" in values:
            is_link = values["kind"] == WordKind.LINK
            try:
                values["pattern"] = (_checked_host if is_link else _checked_words)(
                    values["pattern"]
                )
            except ValidationError as error:
                self.add_error("pattern", error)
            if is_link and values.get("options"):
                text = gettext(
                    "These are for words. A link is found by the exact name of its site."
                )
                self.add_error("options", text)
        return values

    @property
    def word(self) -> Word:
        values = self.cleaned_data
        return Word(
            rule_id="",
            kind=values["kind"],
            pattern=values["pattern"],
            effect=values["effect"],
            site_rule=values["site_rule"],
            days=values["days"] or DAYS_LIMITED,
            options=frozenset(values["options"]) | _wild(values["kind"], values["pattern"]),
        )


def values_of(word: Word) -> dict[str, Any]:
    """Returns the values of a form that shows a filter."""
    return {
        "kind": word.kind,
        "pattern": word.pattern,
        "options": sorted(word.options - {WILD}),
        "effect": word.effect,
        "days": word.days,
        "site_rule": word.site_rule,
    }


def host_of(text: str) -> str:
    """Returns the host of an address, which may lack its `https://`, empty if there is none."""
    try:
        host = urlsplit(text if "://" in text else f"//{text.lstrip('/')}").hostname or ""
    except ValueError:
        return ""
    return normal_host(host).removeprefix("www.")


def _checked_words(pattern: str) -> str:
    """Returns the words of a filter. Raises `ValidationError` if they, or their star, cannot match anything."""
    word = Word("", WordKind.WORD, pattern, "", options=_wild(WordKind.WORD, pattern))
    words = word.sought.words
    if not words.strip(f" {STAR}"):
        raise ValidationError(gettext("There is nothing here to match. Enter a word or phrase."))
    if STAR in words or words != words.strip():
        raise ValidationError(
            gettext(
                "A star can only stand right before or right after the words, such as casino* or *casino. "
                "Anywhere else it matches nothing."
            )
        )
    if is_star_idle(word):
        raise ValidationError(
            gettext(
                "Leave the star out here: signs, emoji and scripts without spaces are found within other text anyway."
            )
        )
    return pattern


def _checked_host(pattern: str) -> str:
    """Returns the host of a link. Raises `ValidationError` if there is none, or it has a star."""
    if pattern.startswith(f"{STAR}."):
        raise ValidationError(gettext("Leave the star out: subdomains are found anyway."))
    if STAR in pattern:
        raise ValidationError(
            gettext(
                "A star in the name of a site matches nothing. Enter a host name, such as example.com."
            )
        )
    host = host_of(pattern)
    if not is_host(host):
        raise ValidationError(gettext("Enter a host name, such as example.com."))
    return host


def _wild(kind: str, pattern: str) -> frozenset[str]:
    return frozenset({WILD} if kind == WordKind.WORD and STAR in pattern else ())


MOST_LINES = 50
IPV6_KNOWN = 64  # only this many bits of an IPv6 address tell people apart
WIDEST = {4: 8, 6: 16}  # a wider block would block half of the world


class DomainsForm(forms.Form):
    domains = PlainTextField(
        label=_("Domains"),
        help_text=_("One per line, such as example.com. Subdomains are blocked too."),
        max_characters=5000,
        multiline=True,
    )

    def clean_domains(self) -> list[str]:
        domains = [
            normal_host(line.rpartition("@")[2]) for line in lines_of(self.cleaned_data["domains"])
        ]
        if wrong := next((domain for domain in domains if not is_host(domain)), None):
            text = _("“%(line)s” is not a domain. Write it like example.com.")
            raise ValidationError(text, code="domain", params={"line": wrong})
        return domains


class NetworksForm(forms.Form):
    networks = PlainTextField(
        label=_("Networks"),
        help_text=_("One per line: an address, or a range such as 203.0.113.0/24."),
        max_characters=2500,
        multiline=True,
    )
    effect = forms.ChoiceField(
        label=_("People on these networks"),
        choices=[
            (AddressEffect.BLOCK, _("Cannot sign up")),
            (AddressEffect.APPROVAL, _("Need approval to join")),
        ],
    )
    comment = PlainTextField(
        label=_("Reason"),
        help_text=_("Other moderators will see this."),
        max_characters=200,
        required=False,
    )

    def clean_networks(self) -> list[IPv4Network | IPv6Network]:
        return [network_of(line) for line in lines_of(self.cleaned_data["networks"])]


def lines_of(text: str) -> list[str]:
    lines = list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if len(lines) > MOST_LINES:
        message = ngettext(
            "Add up to %(limit)d line at a time.",
            "Add up to %(limit)d lines at a time.",
            MOST_LINES,
        )
        raise ValidationError(message, code="lines", params={"limit": MOST_LINES})
    return lines


def network_of(line: str) -> IPv4Network | IPv6Network:
    """Returns the network that this line names. For IPv6 it is at least as large as a household's."""
    try:
        network = ip_network(line, strict=False)
    except ValueError as error:
        text = _("“%(line)s” is not a network. Write it like 203.0.113.0/24.")
        raise ValidationError(text, code="network", params={"line": line}) from error
    if network.version == 6 and network.prefixlen > IPV6_KNOWN:
        network = network.supernet(new_prefix=IPV6_KNOWN)
    if network.prefixlen < WIDEST[network.version]:
        text = _("“%(line)s” covers too much of the internet. Choose a smaller range.")
        raise ValidationError(text, code="wide", params={"line": line})
    return network


class InviteForm(forms.Form):
    uses = forms.IntegerField(label=_("How many people"), min_value=1, max_value=1000, initial=1)
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=[(1, _("1 day")), (7, _("1 week")), (30, _("30 days")), (90, _("90 days"))],
        coerce=int,
        initial=7,
    )
    comment = PlainTextField(
        label=_("Note"),
        help_text=_("Only moderators see this."),
        max_characters=200,
        required=False,
    )
