"""The language of what staff write for the site."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from socialsite.site.site_texts import readers_language


def language_field() -> forms.ChoiceField:
    """Asks for the language of new words. That of the page is chosen first."""
    return forms.ChoiceField(
        label=_("Language"),
        help_text=_("The language you write in. You can add the others once it is saved."),
        choices=settings.LANGUAGES,
        initial=readers_language,
    )
