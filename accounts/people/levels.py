"""How a person's level goes on: what they need for the next one, in a sentence."""

from datetime import timedelta

from django.utils.translation import ngettext

from accounts.people.cards import PersonCard, day_text
from socialsite.site_settings.levels import QUIET_DAYS, Level
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import ids


def next_level(person: PersonCard) -> str:
    """Returns from which day on someone has the next level, and what for; empty on the highest one, and for a level
    that staff gave, which the rules do not change."""
    site, order = site_rules(), list(Level)
    above = order[order.index(Level.of(person.level)) + 1 :]
    if not above or person.level_given:
        return ""
    following = site.level_of(above[0])
    day = ids.time_of(person.user_id) + timedelta(days=following.days)
    asked = ngettext(
        "From %(day)s on you can have the level “%(level)s”, with %(n)d post.",
        "From %(day)s on you can have the level “%(level)s”, with %(n)d posts.",
        following.posts,
    ) % {"day": day_text(day.isoformat()), "level": following.name, "n": following.posts}
    quiet = ngettext(
        "Nobody rises within %(n)d day of a decision against them.",
        "Nobody rises within %(n)d days of a decision against them.",
        QUIET_DAYS,
    ) % {"n": QUIET_DAYS}
    return f"{asked} {quiet}"
