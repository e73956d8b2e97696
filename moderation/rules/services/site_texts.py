"""The items that hold words in languages other than the site's own, as parts of the transactions that change them."""

from collections.abc import Mapping

from moderation.rules.services.site import put
from socialsite.models import SiteText
from socialsite.site.site_texts import TextKind, Words
from socialsite.table import keys
from socialsite.table.actions import Delete, WriteAction
from socialsite.table.errors import TableError


class LastWords(TableError):
    """Without these words there would be none in any language."""


def changed_texts(
    kind: TextKind, subject_id: str, before: Mapping[str, Words], after: Mapping[str, Words]
) -> list[WriteAction]:
    """Returns what makes the words of `before` those of `after`: an action for each language that changes."""
    written = [
        _stored(kind, subject_id, language, words)
        for language, words in after.items()
        if before.get(language) != words
    ]
    gone = [Delete(keys.site_text(kind, subject_id, one)) for one in before if one not in after]
    return [*written, *gone]


def _stored(kind: TextKind, subject_id: str, language: str, words: Words) -> WriteAction:
    values = (
        (SiteText.subject_id, subject_id),
        (SiteText.title, words.title),
        (SiteText.text, words.text),
        (SiteText.reason, words.reason),
    )
    actions = [
        SiteText.kind.set(str(kind)),
        SiteText.language.set(language),
        *(attribute.set(value) if value else attribute.remove() for attribute, value in values),
    ]
    return put(SiteText, keys.site_text(kind, subject_id, language), actions)
