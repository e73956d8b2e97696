"""What templates of messages say in words."""

from django import template

from chats.forms import DAYS

register = template.Library()


@register.filter
def chat_days(days: int | str) -> str:
    """Returns how long messages live, in words."""
    return str(DAYS.get(int(days), days))
