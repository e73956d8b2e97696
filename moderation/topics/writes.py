"""Refusing tags as topics on Explore, and allowing them again. Each is one transaction with its entry in the audit
log, and takes effect at the next read: at once in this process, in others after `SITE_RULES_SECONDS`."""

from collections.abc import Collection

from accounts.people.viewer import Viewer
from moderation.rules.writes import change_site, put
from moderation.staff.writes import TooMany
from socialsite.site_settings.models import RefusedTopic
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import Delete, NotFound, access_pattern, keys

MOST_REFUSED = 300


@access_pattern
def refuse_topics(*, by: Viewer, tags: Collection[str]) -> int:
    """Refuses tags, which never appear among the topics then. Returns how many were not refused yet. Raises `TooMany`.

    One consistent Query, then TransactWriteItems of one RefusedTopic each (at most 50 at once) and the audit entry. In
    all 4 write units, 2 for each, and 2 read units.
    """
    before = read_site_rules().refused_topics
    new = sorted(set(tags) - before)
    if len(before) + len(new) > MOST_REFUSED:
        raise TooMany(MOST_REFUSED)
    if new:
        actions = [
            put(RefusedTopic, keys.refused_topic(tag), [RefusedTopic.tag.set(tag)]) for tag in new
        ]
        change_site(by, "refuse topics", *actions, tags=new)
    return len(new)


@access_pattern
def allow_topic(*, by: Viewer, tag: str) -> None:
    """Allows a tag among the topics again. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit
    entry. In all 6 write units and 2 read units."""
    if tag not in read_site_rules().refused_topics:
        raise NotFound("not refused")
    change_site(by, "allow topic", Delete(keys.refused_topic(tag)), tag=tag)
