"""A case as a zip."""

from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest
from moderation.cases.case_guards import case_required
from moderation.cases.cases import CaseId
from moderation.cases.services.export_case import export_case


@require_POST
@case_required
def export(request: SiteRequest, case_id: CaseId) -> HttpResponseBase:
    """Hands out the case as a file, with the moderators' notes if `notes` is checked. Each time is an entry in the
    log."""
    name = f"case-{case_id}-{timezone.localdate():%Y-%m-%d}.zip"
    with_notes = bool(request.POST.get("notes"))
    file = export_case(by=request.user, case_id=case_id, with_notes=with_notes)
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    response["Cache-Control"] = "no-store"
    return response
