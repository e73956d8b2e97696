"""The statement of reasons: everything that a person has to be told of a decision about them (article 17 of Regulation
(EU) 2022/2065). The facts are the moderator's message and what it is about, which stand above it on the same page."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from moderation.cases.action_cards import ActionCard
from moderation.models import WITHOUT_APPEAL, ActionKind, CaseKind
from socialsite.site_settings.site_setup import CHILD

ILLEGAL = {"illegal", CHILD}  # the rules that what is against the law breaks


def statement_of(decision: ActionCard) -> Iterator[tuple[str, str]]:
    """Yields what is told, each with its name. What was not noted when an older decision was made is left out."""
    yield _("Decision"), decision.done_text
    yield _("Where it applies"), _("On all of this site, in every country.")
    yield _("How long"), _how_long(decision)
    if how := _how_found(decision):
        yield _("How we came to it"), how
    yield _("Who decided"), _who_decided(decision)
    yield _("On which ground"), _ground(decision)
    yield _("What you can do"), _redress(decision)


def _how_long(decision: ActionCard) -> str:
    if decision.is_undone:
        return _("It was taken back and applies no more.")
    for_good, restricted = _("For good, unless we take it back."), _how_long_restricted(decision)
    if decision.suspends_too:
        removed, suspended = decision.done_texts
        return f"{removed}: {for_good} {suspended}: {restricted}"
    if decision.is_on_the_account:
        return restricted
    match decision.kind:
        case ActionKind.WARN:
            return _("A warning takes nothing from you. It stays among the decisions about you.")
        case ActionKind.RESET:
            return _("What was removed stays away. You can choose something else at once.")
    return for_good


def _how_long_restricted(decision: ActionCard) -> str:
    if decision.has_end:
        return _("Until %(end)s.") % {"end": decision.until_text}
    return _("Until a moderator lifts it.")


def _how_found(decision: ActionCard) -> str:
    kind = decision.case_id.kind if decision.case_id else ""
    if kind == CaseKind.SIGN_UP:
        return _("You asked to join.")
    if kind == CaseKind.POST:
        return _("One of our filters let the post wait for a moderator.")
    if decision.is_automatic:
        return _("One of our filters found words or a link in your post.")
    if decision.noticed == "yes":
        return _("Someone reported it to us.")
    return _("We found it ourselves. Nobody had reported it.") if decision.noticed else ""


def _who_decided(decision: ActionCard) -> str:
    if decision.is_automatic:
        return _("A filter, without a person. A person reads your appeal.")
    return _("A person. No program decided.")


def _ground(decision: ActionCard) -> str:
    if decision.kind == ActionKind.DECLINE:
        return _("We decide who joins this site.")
    if not decision.rule_title:
        return _("The rules of this site, to which everyone agrees who joins.")
    if decision.rule_id in ILLEGAL:
        return _("Rule “%(rule)s”: we hold it to be against the law, as our message says.") % {
            "rule": decision.rule_title
        }
    return _("Rule “%(rule)s”, to which everyone agrees who joins.") % {"rule": decision.rule_title}


def _redress(decision: ActionCard) -> str:
    elsewhere = _(
        "You can also turn to a certified body that settles disputes out of court, and to a court."
    )
    if decision.kind in WITHOUT_APPEAL or decision.is_undone:
        return elsewhere
    own = _("Appeal on this page, for free. A person answers, another one wherever there is one.")
    return f"{own} {elsewhere}"
