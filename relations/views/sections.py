"""Pages with several short lists of people. Each list continues on its own page."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.requests import SiteRequest
from relations.own_lists import list_own
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


def section_or_all(
    request: SiteRequest, template: str, names: tuple[str, ...], context: dict[str, Any]
) -> HttpResponse:
    """Shows the beginning of every list, or a page of the list that `show` names, which htmx gets as rows."""
    name = request.GET.get("show", "")
    context |= {"here": request.get_full_path()}
    if name not in names:
        sections = [_section(request, name) for name in names]
        is_empty = not any(section["rows"] for section in sections)
        return render(request, template, context | {"sections": sections, "is_empty": is_empty})
    section = _section(request, name, cursor=cursor_of(request))
    context |= {"sections": [section], "is_alone": True, "is_empty": not section["rows"]}
    return page_or_fragment(request, template, "relations/_section_rows.html", context | section)


def _section(request: SiteRequest, name: str, cursor: str | None = None) -> dict[str, Any]:
    page = list_own(request.user, name, cursor=cursor)
    links = neighbours(request, page, show=name)
    return {"name": name, "title": _titles()[name], "rows": page.items, **links}


def _titles() -> dict[str, str]:
    return {
        "friend": _("Friend requests"),
        "follow": _("Follow requests"),
        "sent-friend": _("Friend requests you’ve sent"),
        "sent-follow": _("Follow requests you’ve sent"),
        "blocked": _("People you’ve blocked"),
        "muted": _("People you’ve muted"),
    }
