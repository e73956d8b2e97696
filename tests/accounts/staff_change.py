"""A page of the tests' own that changes something, beside the site's own."""

from django.http import HttpResponse
from django.urls import path

from accounts.guards import permission_required
from accounts.permissions import Permission
from socialsite.urls import handler404 as handler404
from socialsite.urls import urlpatterns as pages

WORKER = "/operations/worker"
CHANGE = "/test/change"


@permission_required(Permission.CASES)
def change(request) -> HttpResponse:
    return HttpResponse("changed")


urlpatterns = [path("test/change", change), *pages]
