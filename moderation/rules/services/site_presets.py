"""Templates: messages that moderators need often, saved under a title for one action."""

from accounts.viewer import Viewer
from moderation.rules.services.site import ThereAlready, TooMany, change_site, id_from, put
from socialsite.models import TextPreset
from socialsite.site.site_rules import read_site_rules
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern

MOST_PRESETS = 50


@access_pattern
def save_preset(*, by: Viewer, action: str, title: str, text: str, preset_id: str = "") -> None:
    """Adds a template, or changes the template with this id. Raises `NotFound`, `ThereAlready` if another template of
    the same action has the title, `TooMany`.

    One consistent Query, then TransactWriteItems of TextPreset and the audit entry.
    """
    presets = read_site_rules().presets
    others = [one for one in presets if one.preset_id != preset_id]
    if preset_id and len(others) == len(presets):
        raise NotFound(preset_id)
    if any((one.action, one.title) == (action, title) for one in others):
        raise ThereAlready(title)
    if not preset_id and len(presets) >= MOST_PRESETS:
        raise TooMany(MOST_PRESETS)
    key = preset_id or id_from(action, title)
    actions = [
        TextPreset.preset_id.set(key),
        TextPreset.action.set(action),
        TextPreset.title.set(title),
        TextPreset.text.set(text),
    ]
    change_site(by, "save preset", put(TextPreset, keys.text_preset(key), actions), title=title)


@access_pattern
def remove_preset(*, by: Viewer, preset_id: str) -> None:
    """Removes a template. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit entry."""
    found = [one for one in read_site_rules().presets if one.preset_id == preset_id]
    if not found:
        raise NotFound("no such text")
    title = found[0].title
    change_site(by, "remove preset", Delete(keys.text_preset(preset_id)), title=title)
