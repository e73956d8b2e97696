"""Checks a profile's texts against the site's word filters."""

from django.core.exceptions import ValidationError

from socialsite.site.site_rules import site_rules


def allowed(text: str) -> str:
    """Returns the text. Raises `ValidationError`, with the rule's sentence, if a word filter refuses it."""
    if sentence := site_rules().refusal(text):
        raise ValidationError(sentence, code="words")
    return text
