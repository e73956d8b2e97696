"""Why a decision no longer fits the case that it was made about."""

from django.utils.translation import gettext

from moderation.cases.pages.case_page import CasePage
from moderation.rules.preset_texts import done_word


def what_moved(page: CasePage) -> str:
    """Returns, in words, why a decision no longer fits the case, and who changed it."""
    case, last = page.file.case, page.file.actions[-1] if page.file.actions else None
    if page.is_taken:
        assert case.looking is not None
        return gettext("%(name)s is reviewing this case.") % {"name": case.looking.name}
    if case.is_open and case.is_erased:
        return gettext("This account was deleted meanwhile.")
    if not case.is_open and page.closing and page.closing.moderator:
        words = {"name": page.closing.moderator.name, "what": page.closed_word}
        return gettext("%(name)s has since closed this case: %(what)s.") % words
    if not case.is_open:
        return gettext("This case has since been closed: %(what)s.") % {"what": page.closed_word}
    if last and last.moderator and not page.is_by_viewer(last):
        words = {"name": last.moderator.name, "what": done_word(last.kind)}
        return gettext("This case changed while you were reviewing it. %(name)s: %(what)s.") % words
    return gettext("This case changed while you were reviewing it: something was added.")
