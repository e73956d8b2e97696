"""Whom the demo's texts mention, as `accounts/mentions.py` finds people in the table."""

from collections.abc import Mapping, Sequence

from socialsite.web.rich_text import mentioned_handles


def mentioned_people(
    text: str, numbers: Mapping[str, int], user_ids: Sequence[str]
) -> dict[str, str] | None:
    """Returns the ids of the demo people mentioned in a text, by handle; None if it mentions no handle."""
    handles = mentioned_handles(text)
    known = {handle: user_ids[numbers[handle]] for handle in handles if handle in numbers}
    return known if handles else None
