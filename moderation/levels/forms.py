"""What a level asks for and limits, with its names, and which level someone has."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard
from socialsite.site_settings.levels import Level, LevelSetup
from socialsite.site_settings.site_rules import site_rules
from socialsite.web.fields import PlainTextField

MOST = 1_000
LONGEST_NAME = 30


def _limit(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        help_text=_("Leave it empty for no limit."),
        min_value=0,
        max_value=MOST,
        required=False,
    )


class LevelForm(forms.Form):
    """Everyone is new at first, so that level asks for nothing."""

    days = forms.IntegerField(label=_("Days since joining"), min_value=0, max_value=MOST)
    posts = forms.IntegerField(label=_("Posts written"), min_value=0, max_value=MOST)
    links = _limit(_("Links in posts, a day"))
    photos = _limit(_("Photos in posts, a day"))
    mentions = _limit(_("People mentioned in a post"))

    def __init__(self, *args: Any, level: LevelSetup, **kwargs: Any) -> None:
        names = {f"name_{code}": level.names.get(code, "") for code, _name in settings.LANGUAGES}
        kwargs["initial"] = {name: getattr(level, name) for name in self.base_fields} | names
        super().__init__(*args, **kwargs)
        if level.level == Level.NEW:
            del self.fields["days"], self.fields["posts"]
        for code, _name in settings.LANGUAGES:
            self.fields[f"name_{code}"] = PlainTextField(
                label=format_lazy(
                    _("Name in {language}"), language=get_language_info(code)["name_translated"]
                ),
                max_characters=LONGEST_NAME,
                required=False,
            )

    @property
    def values(self) -> dict[str, int | None]:
        return {name: self.cleaned_data.get(name) for name in self.base_fields}

    @property
    def names(self) -> dict[str, str]:
        """Returns the names by language, without those that are built in."""
        typed = {code: self.cleaned_data[f"name_{code}"] for code, _name in settings.LANGUAGES}
        return {code: name for code, name in typed.items() if name}


BY_RULES = "rules"


class LevelChoice(forms.Form):
    """A level for one person, or the rules."""

    level = forms.ChoiceField(
        label=_("Level"),
        help_text=_("A level that you give stays until staff change it. The rules don’t."),
        error_messages={"invalid_choice": _("Choose a level.")},
    )

    def __init__(self, *args: Any, person: PersonCard, **kwargs: Any) -> None:
        kwargs["initial"] = {"level": Level.of(person.level) if person.level_given else BY_RULES}
        super().__init__(*args, **kwargs)
        self.auto_id = "id_give_%s"  # the page has other forms
        offered = self.fields["level"]
        assert isinstance(offered, forms.ChoiceField)
        given = [(str(one.level), one.name) for one in site_rules().levels]
        offered.choices = [(BY_RULES, _("By the rules")), *given]
