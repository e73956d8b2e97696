"""The fields of templates: `{name}` in a message to a person becomes their name when a moderator chooses the template.

What a field stands for is put in once, so that braces in a name or a post are no fields. A template that names what its
decision does not have (an end, a post) is refused when it is written.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard, day_text
from moderation.cases.decisions import NAMES_POSTS
from moderation.cases.effects import ON_POSTS, RESTRICTIONS, WITH_NOTICE
from moderation.cases.words import language_of
from moderation.models import ActionKind
from socialsite.site_settings.site_rules import rule_of, site_rules
from socialsite.site_settings.site_setup import Preset
from socialsite.texts import shortened

FIELD = re.compile(r"\{([^{}\n]{0,40})\}")
MOST_FIELDS = 10  # in one template, so that the message stays short
MOST_OF_A_POST = 80  # characters of a post that a message repeats

NAME, HANDLE, RULE, POST, UNTIL = "name", "handle", "rule", "post", "until"
MEANINGS: Mapping[str, Promise] = {
    NAME: _("their name"),
    HANDLE: _("their handle"),
    RULE: _("the rule that was broken"),
    POST: _("the beginning of the post"),
    UNTIL: _("the last day of a restriction"),
}
HAS_POST = (NAMES_POSTS | ON_POSTS) & WITH_NOTICE
HAS_UNTIL = set(RESTRICTIONS) - {ActionKind.DECLINE}
HAS_RULE = WITH_NOTICE - {ActionKind.DECLINE}
FOR_MANY = {RULE, UNTIL}  # what a wave puts in: the same for everyone


def fields_for(action: str) -> list[str]:
    """Returns the fields that templates for this action can have."""
    has = {POST: HAS_POST, UNTIL: HAS_UNTIL, RULE: HAS_RULE}
    return [name for name in MEANINGS if name not in has or action in has[name]]


def fields_in(text: str) -> list[str]:
    return [found.strip() for found in FIELD.findall(text)]


def why_not(text: str, action: str) -> str:
    """Returns what is wrong with the fields of a template, empty if nothing is."""
    there, wanted = fields_for(action), fields_in(text)
    if len(wanted) > MOST_FIELDS:
        return gettext("Use at most %(n)d fields.") % {"n": MOST_FIELDS}
    for name in wanted:
        if name not in MEANINGS:
            text = gettext("There is no field {%(name)s}. You can use: %(fields)s.")
        elif name not in there:
            text = gettext("This decision has nothing for {%(name)s}. You can use: %(fields)s.")
        else:
            continue
        return text % {"name": name, "fields": in_words(there)}
    return ""


def in_words(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def fill(text: str, values: Mapping[str, str]) -> str:
    """Returns the message with what its fields stand for. A field that is not among them stays as it was typed: older
    templates may have braces that meant nothing."""
    return FIELD.sub(lambda found: values.get(found[1].strip(), found[0]), text)


def values_of(
    language: str, *, person: PersonCard | None = None, rule_id: str, until: str, post: str = ""
) -> dict[str, str]:
    """Returns what the fields stand for, in the person's language. Without `person` only what is the same for
    everyone. An end or a post that nobody chose has words of its own."""
    rule = next((one for one in site_rules().rules if one.rule_id == rule_id), None)
    with override(language_of(language)):
        values = {
            RULE: rule.words_in(language_of(language)).title if rule else gettext("our rules"),
            UNTIL: day_text(until) or gettext("further notice"),
        }
        if person:
            values |= {
                NAME: person.name,
                HANDLE: f"@{person.handle}",
                POST: shortened(" ".join(post.split()), MOST_OF_A_POST) or gettext("your post"),
            }
        return values


def rule_for(preset: Preset) -> str:
    """Returns the rule that a template is for, empty for all, also if that rule is gone."""
    is_there = any(one.rule_id == preset.rule_id for one in site_rules().rules)
    return preset.rule_id if is_there else ""


def presets_offered(action: ActionKind, *, to_many: bool = False) -> list[Preset]:
    """Returns the templates for an action, in a wave those alone that have nothing of one person."""
    found = site_rules().presets_for(action)
    if not to_many:
        return found
    return [one for one in found if all(_is_for_many(words.text) for words in one.written.values())]


def _is_for_many(text: str) -> bool:
    return not (set(fields_in(text)) & set(MEANINGS)) - FOR_MANY


def title_of(preset: Preset) -> str:
    """Returns the title as moderators choose it, with the rule that it is for."""
    rule_id = rule_for(preset)
    return f"{preset.title} · {rule_of(rule_id).title}" if rule_id else preset.title


def misfit(presets: Collection[Preset], preset_id: str, rule_id: str) -> str:
    """Returns what is wrong with a template that is for another rule than the chosen one, empty if nothing is."""
    for one in presets:
        wanted = rule_for(one)
        if one.preset_id == preset_id and wanted and wanted != rule_id:
            text = gettext("This message is for another rule: %(rule)s.")
            return text % {"rule": rule_of(wanted).title}
    return ""
