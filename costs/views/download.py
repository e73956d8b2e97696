"""The tables of the cost page as CSV."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from costs.figures import read_figures
from costs.forms import CostForm
from costs.tables import TABLES, csv_of
from socialsite.table.errors import NotFound


@never_cache
@require_safe
@permission_required(Permission.COSTS)
def download(request: SiteRequest, table: str) -> HttpResponse:
    """Sends one table, of the same days and assumptions as the page that links here."""
    if table not in TABLES:
        raise NotFound("no such table")
    form = CostForm.asked(request.GET)
    if not form.is_valid():
        told = _("This address is not one that the cost page links to.")
        return HttpResponse(told, status=422, content_type="text/plain; charset=utf-8")
    response = HttpResponse(
        csv_of(table, read_figures(form.cleaned_data)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="costs-{table}.csv"'
    return response
