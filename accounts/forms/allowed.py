"""What the site's word rules refuse in a profile."""

from django.core.exceptions import ValidationError

from socialsite.site.site_rules import site_rules


def allowed(text: str) -> str:
    """The text itself; raises `ValidationError` with the sentence of the rule that it breaks."""
    if sentence := site_rules().refusal(text):
        raise ValidationError(sentence, code="words")
    return text
