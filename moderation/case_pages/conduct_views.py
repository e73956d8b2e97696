"""From a case: more posts of the person, or a whole thread, to choose from. What is ticked goes into the case, and then
the one dialog decides about all of it. Works without scripts: a form that looks, and a form that takes in."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest
from moderation.case_pages.answers import case_context, case_required, place_of, read_page, url_of
from moderation.case_pages.page import CasePage, Step, what_moved
from moderation.cases.evidence_cards import EvidenceCard
from moderation.cases.forms import CHOOSES_POSTS, NAMES_POSTS
from moderation.cases.reads import CaseId, CaseMoved, must_outrank
from moderation.conduct.forms import LookForm, TakeInForm
from moderation.conduct.reads import Asked, Chosen, ConductPost, list_conduct, list_thread
from moderation.conduct.writes import MOST_AT_ONCE, take_in
from moderation.models import CaseKind
from socialsite.table import NotFound, Page
from socialsite.web.fragments import cursor_of, neighbours

MOST_HELD = 100  # posts and photos of a case: its page shows no more than 200 items


@require_http_methods(["GET", "HEAD", "POST"])
@case_required
def conduct(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows other posts of the person, or the thread of a post in the case (`of`). A POST takes what is ticked into the
    case, and leads to the decision that was pressed, or back to the list."""
    page = read_page(request, case_id)
    person = page.file.person
    if case_id.kind != CaseKind.PERSON or person is None or page.file.case.is_erased:
        raise NotFound("nobody to look at")
    must_outrank(request.user, page.role)
    thread = _thread_of(page, request.GET.get("of", ""))
    look = LookForm(
        request.GET if any(one in request.GET for one in LookForm.base_fields) else None
    )
    if request.method != "POST":
        return _show(request, page, look, thread)
    form = TakeInForm(request.POST, ticked=request.POST.getlist("posts"))
    if not form.is_valid():
        return _show(request, page, look, thread, form=form, status=422)
    ticked = form.cleaned_data["posts"]
    if len(page.file.evidence) + len(page.file.photos) + len(ticked) > MOST_HELD:
        form.add_error("posts", _("This case holds very much already. Decide about that first."))
        return _show(request, page, look, thread, form=form, status=422)
    try:
        chosen = take_in(by=request.user, case_id=case_id, posts=ticked)
    except CaseMoved:
        page = read_page(request, case_id)
        form.add_error("posts", what_moved(page))
        return _show(request, page, look, thread, form=form, status=409)
    if chosen.edited or chosen.gone:
        form.add_error("posts", _lost(chosen))
        form.ticked = [one for one in form.ticked if one.partition(".")[0] in chosen.ids]
        return _show(request, read_page(request, case_id), look, thread, form=form, status=409)
    return _go_on(request, case_id, chosen)


def _lost(chosen: Chosen) -> str:
    """Says what became of chosen posts since the moderator saw them."""
    lines = []
    if n := len(chosen.edited):
        text = ngettext(
            "%(n)d post was edited since you saw it. Read it again.",
            "%(n)d posts were edited since you saw them. Read them again.",
            n,
        )
        lines.append(text % {"n": n})
    if n := len(chosen.gone):
        text = ngettext("%(n)d post is no longer there.", "%(n)d posts are no longer there.", n)
        lines.append(text % {"n": n})
    return " ".join(lines)


def _go_on(request: SiteRequest, case_id: CaseId, chosen: Chosen) -> HttpResponse:
    """Leads to the decision that was pressed, with the posts ticked, otherwise back to the list."""
    page = read_page(request, case_id)
    place = place_of(request, page)
    action = request.POST.get("action", "")
    if any(action == step.kind for step in steps_for_posts(page)):
        asked: list[tuple[str, Any]] = [("action", action), ("version", page.file.case.version)]
        asked += [*place.asked.items(), *(("posts", one) for one in chosen.ids)]
        return redirect(f"{case_id.url}/decide?{urlencode(asked)}")
    n = len(chosen.ids)
    text = ngettext("%(n)d post is now in the case.", "%(n)d posts are now in the case.", n)
    messages.success(request, text % {"n": n})
    return redirect(f"{url_of(case_id, place)}#evidence")


def steps_for_posts(page: CasePage) -> list[Step]:
    """Returns the decisions that can be about chosen posts."""
    return [step for step in page.ladder if step.kind in CHOOSES_POSTS | NAMES_POSTS]


def _thread_of(page: CasePage, post_id: str) -> EvidenceCard | None:
    """Returns the post of the case whose thread is asked for, None for the person's posts. Raises `NotFound`."""
    if not post_id:
        return None
    for card in page.file.evidence:
        if card.post_id == post_id and card.thread:
            return card
    raise NotFound("not a thread of this case")


def _show(
    request: SiteRequest,
    page: CasePage,
    look: LookForm,
    thread: EvidenceCard | None,
    *,
    form: TakeInForm | None = None,
    status: int = 200,
) -> HttpResponse:
    asked, place = look.asked if look.is_bound else Asked(), place_of(request, page)
    rows = _rows(page, asked, thread, cursor_of(request))
    address = {**place.asked, **({"of": thread.post_id} if thread else {})}
    context = case_context(
        request,
        page,
        look=look,
        is_looked=look.is_bound,
        rows=rows.items,
        form=form,
        ticked=form.ticked if form else (),
        thread=thread,
        steps=steps_for_posts(page),
        most=MOST_AT_ONCE,
        address=address,
        back=url_of(page.case_id, place),
        here=f"{request.path}?{urlencode(address)}",
        take_in_url=f"{request.path}?{request.GET.urlencode()}",
        **neighbours(request, rows, **address, **(look.query if look.is_bound else {})),
    )
    return render(request, "moderation/conduct/conduct.html", context, status=status)


def _rows(
    page: CasePage, asked: Asked, thread: EvidenceCard | None, cursor: str | None
) -> Page[ConductPost]:
    person = page.file.person
    assert person is not None
    if thread is None:
        return list_conduct(person, asked, cursor=cursor)
    root_id, root_author_id = thread.thread
    return list_thread(
        person, root_id=root_id, root_author_id=root_author_id, asked=asked, cursor=cursor
    )
