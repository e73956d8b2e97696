"""Changing what a level asks for and limits, and giving someone a level. Each is one transaction with its entry in the
audit log."""

from collections.abc import Mapping

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from moderation.cases.limits import must_be_within_person
from moderation.cases.reads import must_outrank
from moderation.log.writes import record
from moderation.rules.writes import change_site, changed_texts, put
from socialsite.site_settings.levels import Level
from socialsite.site_settings.models import SiteLevel
from socialsite.site_settings.site_rules import LIMITS, read_site_rules
from socialsite.site_settings.site_setup import TextKind, Words
from socialsite.table import Change, access_pattern, keys, reading


@access_pattern
def save_level(
    *, by: Viewer, level: Level, values: Mapping[str, int | None], names: Mapping[str, str]
) -> None:
    """Sets what a level asks for (`days`, `posts`) and limits (None is no limit), and its names by language. Does
    nothing if nothing changes. People keep the level that they have.

    One consistent Query, then TransactWriteItems of SiteLevel, a SiteText for each name that changes, and the audit
    entry. In all 6 write units and 2 read units, 2 more for each name.
    """
    before = read_site_rules().level_of(level)
    new: dict[str, int | None] = {name: values.get(name) or 0 for name in ("days", "posts")}
    new |= {name: values.get(name) for name in LIMITS}
    old = {name: getattr(before, name) for name in new}
    texts = changed_texts(TextKind.LEVEL, level, _as_words(before.names), _as_words(names))
    if old == new and not texts:
        return
    attributes = SiteLevel.get_attributes()
    actions = [
        attributes[name].remove() if value is None else attributes[name].set(value)
        for name, value in new.items()
    ]
    stored = put(SiteLevel, keys.site_level(level), [SiteLevel.level.set(str(level)), *actions])
    detail = {name: [_said(old[name]), _said(new[name])] for name in new if old[name] != new[name]}
    if texts:
        detail["names"] = [", ".join(before.names.values()), ", ".join(names.values())]
    change_site(by, "change level", stored, *texts, level=str(level), **detail)


def _said(value: int | None) -> str:
    return "–" if value is None else str(value)


def _as_words(names: Mapping[str, str]) -> dict[str, Words]:
    return {code: Words(title=name) for code, name in names.items()}


@access_pattern
def give_level(*, by: Viewer, user_id: str, level: Level | None) -> None:
    """Gives someone a level, which the rules do not change, or leaves it to the rules again (None), which go on from
    what they have. Safe to repeat. Raises `NotFound`, `Outranked`,
    `BeyondLimits`.

    Two consistent GetItems, of the person and the log's head, then one TransactWriteItems of UserInfo and the audit
    entry, 6 write units. In all 6 write units and 2 read units. Later the stream worker copies it to relationships
    (`begin_refresh`).
    """
    key = keys.user_info(user_id)
    info = reading.get(UserInfo, key, consistent=True)
    must_outrank(by, info.role or "")
    must_be_within_person(by, user_id)  # so that nobody comes within a junior's reach by it
    if level is None:
        if info.level_given:
            free = Change(UserInfo, key, [UserInfo.level_given.remove()])
            record(free, by=by.user_id, action="leave level", person_id=user_id)
        return
    if info.level_given and info.level == level:
        return
    given = [UserInfo.level.set(str(level)), UserInfo.level_given.set("yes")]
    detail = {"level": [str(Level.of(info.level)), str(level)]}
    change = Change(UserInfo, key, given)
    record(change, by=by.user_id, action="give level", person_id=user_id, detail=detail)
