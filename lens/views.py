"""The pages of the lens."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import permission_required
from accounts.people.reads import find_user_by_handle
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from lens.access import is_developer, is_wanted, keep_choice, must_look
from lens.browser.item_types import (
    DEMO_HANDLE,
    FAMILIES,
    Example,
    address_of,
    find_example,
    indexes,
    item_types,
)
from lens.browser.stored_items import (
    Partition,
    browsers_only,
    complete,
    is_masked,
    note_look,
    read_index_partition,
    read_partition,
)
from lens.chart import siblings_of
from lens.concepts.blocks import CONCEPTS
from lens.concepts.concept import find_place, measured
from lens.concepts.document import draw
from lens.followed import what_followed
from lens.model_map import diagrams
from lens.model_map.tables import filled, tables
from lens.published_patterns import run_seven
from lens.sight import kept_of, kept_one
from socialsite.observing.logs import Event, note_event
from socialsite.streams.traces import are_kept
from socialsite.table import INDEXES, NotFound, keys


@require_POST
@never_cache
def open_lens(request: SiteRequest) -> HttpResponseBase:
    """Opens the lens in this browser (`on=1`) for eight hours, or closes it. Staff need the permission and a proof of
    the last minutes, and each opening is in the security log."""
    return _answer(request) if is_developer(request) else _answer_staff(request)


@permission_required(Permission.LENS)
def _answer_staff(request: SiteRequest) -> HttpResponse:
    if request.POST.get("on") == "1":
        note_event(Event.LENS_OPENED, account=request.user.account_id)
    return _answer(request)


def _answer(request: SiteRequest) -> HttpResponse:
    response = redirect("/dev/lens")
    keep_choice(response, is_open=request.POST.get("on") == "1")
    return response


@require_safe
@never_cache
def list_sights(request: SiteRequest) -> HttpResponseBase:
    """Lists the last requests of the person, and opens or closes the lens. htmx gets the list alone."""
    return _list(request) if is_developer(request) else _list_for_staff(request)


@permission_required(Permission.LENS)
def _list_for_staff(request: SiteRequest) -> HttpResponse:
    return _list(request)


def _list(request: SiteRequest) -> HttpResponse:
    context = {
        "sights": kept_of(str(request.user.user_id)),
        "is_open": is_wanted(request),
        "is_developer": is_developer(request),
    }
    template = "lens/_sights.html" if request.htmx else "lens/sights.html"
    return render(request, template, context)


@require_safe
@never_cache
def show_sight(request: SiteRequest, request_id: str) -> HttpResponse:
    """Shows the calls of one request."""
    sight = kept_one(request_id, must_look(request))
    if sight is None:
        raise NotFound("no such request is kept")
    return render(request, "lens/sight.html", {"sight": sight})


LONGEST_HANDLE = 60  # letters of a handle


@require_safe
@never_cache
@browsers_only
def patterns(request: SiteRequest) -> HttpResponse:
    """Runs all seven for the person of `handle`, by default the viewer, or someone of the demo. They look with that
    person's eyes, so staff of a site in production see them for themselves alone."""
    asked = request.GET.get("handle", "").strip().removeprefix("@").lower()[:LONGEST_HANDLE]
    if not is_developer(request):
        asked = request.user.handle
        note_look(request, keys.user(request.user.user_id))
    handle = asked or request.user.handle or DEMO_HANDLE
    try:
        ran, is_unknown = tuple(run_seven(handle)), False
    except NotFound:
        ran, is_unknown = (), bool(asked)
    context = {
        "handle": handle,
        "ran": ran,
        "units": sum(one.units for one in ran),
        "calls": sum(len(one.calls) for one in ran),
        "is_unknown": is_unknown,
        "is_developer": is_developer(request),
    }
    return render(request, "lens/patterns.html", context, status=404 if is_unknown else 200)


LONGEST_KEY = 500  # letters of a key


@require_safe
@never_cache
@browsers_only
def table(request: SiteRequest) -> HttpResponse:
    """Shows the chart, or a partition, by `pk` and perhaps `sk`, of the table or of an `index`. `@handle` leads to the
    partition of a person."""
    asked = request.GET.get("pk", "").strip()[:LONGEST_KEY]
    if not asked:
        return _chart(request)
    if not asked.startswith("@"):
        return _partition(request, asked)
    try:
        user_id = find_user_by_handle(asked.removeprefix("@").lower())
    except NotFound:
        return _chart(request, unknown=asked)
    return redirect(address_of(keys.user(user_id)))


@require_safe
@never_cache
@browsers_only
def item_type(request: SiteRequest, name: str) -> HttpResponse:
    """Shows a type: its keys, its attributes, and the functions that use it."""
    found = item_types().get(name)
    if found is None:
        raise NotFound("no item has this type")
    partition = _example(request).partition_of(found.shape)
    context = {
        "type": found,
        "example": address_of(partition) if partition else "",
        "is_developer": is_developer(request),
    }
    return render(request, "lens/item_type.html", context)


def _chart(request: SiteRequest, *, unknown: str = "") -> HttpResponse:
    example = _example(request)
    types = item_types()
    families = [
        (
            family,
            [
                (types[name], address_of(found) if found else "")
                for name in family.items
                for found in [example.partition_of(types[name].shape)]
            ],
        )
        for family in FAMILIES
    ]
    context = {
        "families": families,
        "indexes": indexes(example),
        "example": example,
        "count": len(types),
        "unknown": unknown,
        "is_developer": is_developer(request),
    }
    return render(request, "lens/chart.html", context, status=404 if unknown else 200)


def _example(request: SiteRequest) -> Example:
    return find_example(request.user.handle if request.user.is_authenticated else "")


def _partition(request: SiteRequest, name: str) -> HttpResponse:
    index, sort = request.GET.get("index", ""), request.GET.get("sk", "")[:LONGEST_KEY]
    after = request.GET.get("after", "")[:LONGEST_KEY]
    if index and index not in INDEXES:
        raise NotFound("no such index")
    note_look(request, name, index=index)
    partition = (
        read_index_partition(index, name, before=after)
        if index
        else read_partition(name, after=after, sort=sort)
    )
    complete(partition, masks=lambda of, item: is_masked(request, of, item))
    context = {
        "partition": partition,
        "siblings": [] if index else siblings_of(name),
        "one": sort,
        "after": after,
        "next_address": _following(partition),
        "is_developer": is_developer(request),
    }
    return render(request, "lens/partition.html", context)


def _following(partition: Partition) -> str:
    if not partition.following:
        return ""
    return address_of(partition.name, index=partition.index, after=partition.following)


ASKED_AT_MOST = 30  # times, as the worker is behind for longer only if something holds it up


@require_safe
@never_cache
def show_followed(request: SiteRequest, request_id: str) -> HttpResponse:
    """Shows what followed from one of the person's own requests, as far as the worker is.

    htmx gets the fragment alone, which asks again while something is under way. `asked` counts how often it did.
    """
    sight = kept_one(request_id, must_look(request))
    if sight is None:
        raise NotFound("no such request is kept")
    followed = what_followed(sight)
    asked = _number(request.GET.get("asked", ""))
    context = {
        "sight": sight,
        "followed": followed,
        "is_kept": are_kept(),
        "asks_again": are_kept() and not followed.is_finished and asked < ASKED_AT_MOST,
        "asked": asked + 1,
    }
    template = "lens/_followed.html" if request.htmx else "lens/followed.html"
    return render(request, template, context)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


@require_safe
@never_cache
def concepts(request: SiteRequest) -> HttpResponse:
    """Lists the building blocks."""
    _must_be_developer(request)
    return render(request, "lens/concepts.html", {"concepts": CONCEPTS.values()})


@require_safe
@never_cache
def concept(request: SiteRequest, name: str) -> HttpResponse:
    """Shows a building block. Developers alone: it shows what people have in this table, and runs their reads."""
    _must_be_developer(request)
    if name not in CONCEPTS:
        raise NotFound("no such building block")
    one = CONCEPTS[name]
    context = {
        "concept": one,
        "drawing": draw(one),
        "measured": measured(name),
        "live": find_place(one, viewer=request.user),
    }
    return render(request, "lens/concept.html", context)


@require_safe
@never_cache
def model(request: SiteRequest) -> HttpResponse:
    """Shows the names of the published models with ours, and leads to what the example's person has."""
    _must_be_developer(request)
    example = _example(request)
    shown = [
        (
            table,
            diagrams.draw(table.diagram) if table.diagram else "",
            [
                [(name, cell, filled(cell.address, example)) for name, cell in row]
                for row in table.cells
            ],
        )
        for table in tables()
    ]
    return render(request, "lens/model.html", {"tables": shown, "is_developer": True})


def _must_be_developer(request: SiteRequest) -> None:
    if not is_developer(request):
        raise NotFound("the building blocks are shown to developers alone")
