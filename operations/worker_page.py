"""The staff page about the stream's worker: lag of each shard, jobs under way, parked records."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from socialsite.streams.status import list_jobs, read_worker_status


@require_safe
@permission_required(Permission.WORKER)
def worker(request: SiteRequest) -> HttpResponse:
    """Shows in detail what `/readyz` sums up, and the jobs under way."""
    shown = {"worker": read_worker_status(), "jobs": list_jobs()}
    return render(request, "operations/worker.html", shown)
