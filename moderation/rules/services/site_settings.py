"""Changes the settings of the site, and the banner in each of its languages."""

from collections.abc import Mapping
from typing import Any

from accounts.viewer import Viewer
from moderation.rules.services.site import change_site, put
from moderation.rules.services.site_texts import changed_texts
from socialsite.models import SiteSettings
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_texts import TextKind, Words
from socialsite.table import keys
from socialsite.table.meter import access_pattern


@access_pattern
def save_settings(
    *, by: Viewer, values: dict[str, Any], banners: Mapping[str, str] | None = None
) -> None:
    """Sets who may sign up, what waits for a moderator, the banner and the log. `banners` is the banner in languages
    other than the site's own: all that there are, None to leave them. Only values that change are logged.

    One consistent Query of the site's rules, then TransactWriteItems of SiteSettings, a SiteText for each banner that
    changes, and the audit entry.
    """
    before = read_site_rules()
    changed = {name: value for name, value in values.items() if getattr(before, name) != value}
    old, new = before.banners, before.banners if banners is None else banners
    texts = changed_texts(TextKind.BANNER, "", _as_words(old), _as_words(new))
    if not changed and not texts:
        return
    actions = []
    for name, value in changed.items():
        attribute = getattr(SiteSettings, name)
        actions.append(attribute.remove() if value == "" else attribute.set(value))
    detail = {name: [getattr(before, name), value] for name, value in changed.items()}
    for one in sorted({*old, *new}):
        if old.get(one, "") != new.get(one, ""):
            detail[f"banner {one}"] = [old.get(one, ""), new.get(one, "")]
    stored = [put(SiteSettings, keys.site_settings(), actions)] if actions else []
    change_site(by, "change settings", *stored, *texts, **detail)


def _as_words(banners: Mapping[str, str]) -> dict[str, Words]:
    return {language: Words(text=text) for language, text in banners.items() if text}
