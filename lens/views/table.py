"""The table browser: the chart of all item types, each type, and each partition as its items are stored."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.access_patterns import find_user_by_handle
from accounts.requests import SiteRequest
from lens.browser.examples import Example, find_example
from lens.browser.families import FAMILIES
from lens.browser.indexes import indexes
from lens.browser.item_types import item_types
from lens.browser.links import address_of
from lens.browser.looking import browsers_only, is_masked, note_look
from lens.chart import siblings_of
from lens.right import is_developer
from lens.table import Partition, complete, read_index_partition, read_partition
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.item import INDEXES

LONGEST = 500  # letters of a key


@require_safe
@never_cache
@browsers_only
def table(request: SiteRequest) -> HttpResponse:
    """Shows the chart, or a partition, by `pk` and perhaps `sk`, of the table or of an `index`. `@handle` leads to the
    partition of a person."""
    asked = request.GET.get("pk", "").strip()[:LONGEST]
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
    index, sort = request.GET.get("index", ""), request.GET.get("sk", "")[:LONGEST]
    after = request.GET.get("after", "")[:LONGEST]
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
