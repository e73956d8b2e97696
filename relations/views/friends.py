"""The viewer's friends, filtered by circle, place, pronouns and notes, and the viewer's favourites."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from relations.filters import Filters
from relations.own_lists import list_own
from relations.relation_lists import list_circles
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

LONGEST = 60  # characters of a search
ASKED = {"tag": "circle", "location": "location", "gender": "gender", "text": "q"}


@require_safe
@sign_in_required
def friends(request: SiteRequest) -> HttpResponse:
    """Shows friends that match `circle`, `location`, `gender` and `q`, or with `show=favourites` the favourites."""
    name = "favourites" if request.GET.get("show") == "favourites" else "friends"
    asked = {
        field: value
        for field in ASKED.values()
        if name == "friends" and (value := request.GET.get(field, "").strip()[:LONGEST])
    }
    filters = Filters(**{of: asked.get(field, "") for of, field in ASKED.items()})
    page = list_own(request.user, name, filters=filters, cursor=cursor_of(request))
    links = neighbours(request, page, **({"show": name} if name == "favourites" else asked))
    context = {
        "name": name,
        "tab": name,
        "rows": page.items,
        "asked": asked,
        "here": request.get_full_path(),
        **links,
    }
    if name == "friends" and not request.htmx:
        context["circles"] = list_circles(request.user)
    return page_or_fragment(
        request, "relations/friends.html", "relations/_section_rows.html", context
    )
