"""The form for the site's settings: sign-up, what waits for a moderator, the banner, the public log."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms.switch import SWITCH
from socialsite.site.site_setup import SignUp, SiteRules
from socialsite.site.site_texts import site_languages
from socialsite.web.fields import PlainTextField

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
