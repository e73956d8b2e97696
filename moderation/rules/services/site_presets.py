"""Templates: messages that moderators need often, saved under a title for one action."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.viewer import Viewer
from moderation.rules.services.site import ThereAlready, TooMany, change_site, id_from, put
from moderation.rules.services.site_texts import LastWords, changed_texts
from socialsite.models import TextPreset
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_setup import Preset
from socialsite.site.site_texts import NO_WORDS, TextKind, Words
from socialsite.table import keys
from socialsite.table.actions import Delete, WriteAction
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern

MOST_PRESETS = 50


@access_pattern
def save_preset(
    *, by: Viewer, action: str, title: str, text: str, language: str, preset_id: str = ""
) -> None:
    """Adds a template with its words in this language, or changes the template with this id and leaves its words in
    the others. Raises `NotFound`, `ThereAlready` if another template of the same action has the title, `TooMany`.

    One consistent Query, then TransactWriteItems of TextPreset, of its SiteText in another language than the site's
    own, and the audit entry.
    """
    presets = read_site_rules().presets
    before = _found(preset_id, presets) if preset_id else Preset("", action)
    others = [one for one in presets if one is not before and one.action == action]
    if any(one.words_in(language).title == title for one in others):
        raise ThereAlready(title)
    if not preset_id and len(presets) >= MOST_PRESETS:
        raise TooMany(MOST_PRESETS)
    after = replace(
        before.with_words(language, Words(title, text)),
        preset_id=preset_id or id_from(action, title),
        action=action,
    )
    detail = {"title": title, "language": language}
    change_site(by, "save preset", *_stored(before, after), **detail)


@access_pattern
def remove_preset_words(*, by: Viewer, preset_id: str, language: str) -> None:
    """Removes the words of a template in one language. Raises `NotFound` if there are none, `LastWords` for its last
    ones. One consistent Query, then TransactWriteItems of TextPreset, its text and the audit entry."""
    before = _found(preset_id, read_site_rules().presets)
    if language not in before.written:
        raise NotFound("no words in this language")
    if len(before.written) == 1:
        raise LastWords(preset_id)
    after = before.with_words(language, NO_WORDS)
    detail = {"title": before.title, "language": language}
    change_site(by, "remove words of preset", *_stored(before, after), **detail)


@access_pattern
def remove_preset(*, by: Viewer, preset_id: str) -> None:
    """Removes a template in all languages. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit
    entry."""
    found = _found(preset_id, read_site_rules().presets)
    texts = changed_texts(TextKind.PRESET, preset_id, found.texts, {})
    gone = Delete(keys.text_preset(preset_id))
    change_site(by, "remove preset", gone, *texts, title=found.title)


def _found(preset_id: str, presets: Sequence[Preset]) -> Preset:
    for preset in presets:
        if preset.preset_id == preset_id:
            return preset
    raise NotFound("no such text")


def _stored(before: Preset, after: Preset) -> list[WriteAction]:
    own = ((TextPreset.title, after.own.title), (TextPreset.text, after.own.text))
    actions = [
        TextPreset.preset_id.set(after.preset_id),
        TextPreset.action.set(after.action),
        *(attribute.set(value) if value else attribute.remove() for attribute, value in own),
    ]
    texts = changed_texts(TextKind.PRESET, after.preset_id, before.texts, after.texts)
    return [put(TextPreset, keys.text_preset(after.preset_id), actions), *texts]
