"""The languages of a case, by which moderators choose what they read first (`../pages/queue_place.py`).

A report is in the language in which its reporter reads the site, and in the one that its post says it is in, if the
site has that. Most posts name none, so the reporter's language is often all that is known. An appeal adds the language
in which the person reads the site.
"""

from collections.abc import Collection

from django.conf import settings

from moderation.models import Case
from socialsite.site.default_rules import URGENT

SITE = {code.casefold(): code for code, _ in settings.LANGUAGES}


def languages_of_report(reporters: str, of_post: str) -> set[str]:
    """Returns the languages of the site that a moderator needs for it, none if nothing is known."""
    wanted = (SITE.get(one.casefold(), "") for one in (reporters, of_post))
    return set(wanted) - {""}


def is_for(case: Case, languages: Collection[str]) -> bool:
    """Whether the case is for people who read these languages (none: all). Urgent cases are for everyone, and so are
    those of which no language is known."""
    known = case.languages or ()
    place = case.escalated_at or ""
    return (
        not languages
        or not known
        or not set(languages).isdisjoint(known)
        or place.startswith(f"{URGENT}#")
    )
