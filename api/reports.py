"""Reporting a person or their posts, as the form of the pages does. People report only what they can see."""

from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse, valid
from api.entities.account import account_of, moment
from api.statuses import find
from feed.cards.post_card import PostCard
from moderation.reports.forms import ReportForm
from moderation.reports.writes import file_report
from relations.reads import get_profile
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import OTHER, readers_language
from socialsite.table import NotFound, ids
from socialsite.web.limits import REPORTS, count_hits

MOST_POSTS = 5  # in one report of an app


@endpoint("write:reports")
def report(request: ApiRequest) -> Any:
    """Reports a person, or each of some posts of theirs. Of the rules that an app names the first counts."""
    viewer, sent = request.user, request.sent
    person_id = sent.get("account_id")
    if person_id == viewer.user_id:
        raise refuse(_("This is yours, so there’s no need to report it."))
    if not ids.is_id(person_id):
        raise NotFound("no id")
    posts: list[PostCard | None] = [_post(request, name, person_id) for name in _named(request)]
    profile = get_profile(person_id, viewer=viewer)
    typed = {"reason": _reason(request), "comment": sent.get("comment")}
    form = ReportForm(typed, relationship=profile.relationship, person_id=person_id)
    values = valid(form)
    for post in posts or [None]:
        if not viewer.is_staff:
            count_hits((REPORTS, viewer.user_id))
        file_report(
            by=viewer,
            person_id=person_id,
            post_id=post.post_id if post else "",
            rule_id=form.rule_id,
            severity=form.rule.severity,
            comment=values["comment"],
            version=post.version if post else 0,
            language=readers_language(),
        )
    return {
        "id": person_id,  # what was said of one person is one report
        "action_taken": False,
        "action_taken_at": None,
        "category": sent.get("category") or "other",
        "comment": values["comment"],
        "forwarded": False,
        "created_at": moment(utc_now()),
        "status_ids": _named(request) or None,
        "rule_ids": [form.rule_id] if form.rule_id else None,
        "collection_ids": None,
        "target_account": account_of(profile.person, here(request)),
    }


def _named(request: ApiRequest) -> list[str]:
    named = list(dict.fromkeys(request.sent.all("status_ids")))
    if len(named) > MOST_POSTS:
        raise refuse(_("Report up to %(n)d posts at once.") % {"n": MOST_POSTS})
    return named


def _post(request: ApiRequest, name: str, person_id: str) -> PostCard:
    card = find(request, name)
    if card.author.user_id != person_id:
        raise NotFound("not theirs")
    return card


def _reason(request: ApiRequest) -> str:
    """Returns the rule that an app names, by its id or by its category, else "something else"."""
    there = {rule.rule_id for rule in site_rules().rules}
    named = [*request.sent.all("rule_ids"), request.sent.get("category")]
    return next((one for one in named if one in there), OTHER)
