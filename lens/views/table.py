"""The table browser: partition by partition, as the items are stored."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.access_patterns import find_user_by_handle
from lens.chart import shapes
from lens.right import is_developer
from lens.table import read_partition
from socialsite.table import keys
from socialsite.table.errors import NotFound

LONGEST = 500  # letters of a key


@require_safe
@never_cache
def table(request: HttpRequest) -> HttpResponse:
    """Shows the chart of all item types, or one partition. Developers alone: it shows what people wrote in private."""
    if not is_developer(request):
        raise NotFound("the table is shown to developers alone")
    name = request.GET.get("pk", "").strip()[:LONGEST]
    if name.startswith("@"):
        return redirect(_partition_of_person(name.removeprefix("@").lower()))
    if not name:
        return render(request, "lens/chart.html", {"shapes": list(shapes().values())})
    partition = read_partition(name, after=request.GET.get("after", "")[:LONGEST])
    return render(request, "lens/partition.html", {"partition": partition})


def _partition_of_person(handle: str) -> str:
    return "/dev/table?" + urlencode({"pk": keys.user(find_user_by_handle(handle))})
