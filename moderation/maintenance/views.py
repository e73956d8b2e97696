"""The staff page that lets the site only be read: what holds now, what is announced, and a form for it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import never, permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.maintenance.forms import ReadOnlyForm
from moderation.maintenance.writes import end_read_only, plan_read_only
from socialsite.site_settings.read_only import Why, read_only_now
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.web.fragments import form_page
from socialsite.web.read_only import sentence_of, times_of

PAGE = "/moderation/read-only"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def read_only(request: SiteRequest) -> HttpResponse:
    """Shows whether the site is only read and what is announced. A POST announces a time, or begins it
    at once: that it asks about first."""
    form = ReadOnlyForm(request.POST if request.method == "POST" else None)
    must_ask = form.is_valid() and not form.cleaned_data["begins"] and "now" not in request.POST
    if form.is_valid() and not must_ask:
        plan_read_only(
            by=request.user.user_id,
            begins=form.cleaned_data["begins"],
            ends=form.ends,
            message=form.cleaned_data["message"],
        )
        messages.success(request, _("Everyone is told on each page."))
        return redirect(PAGE)
    now, plan = read_only_now(), read_site_rules().maintenance
    context = {
        "form": form,
        "must_ask": must_ask,
        "now_text": sentence_of(now) if now else "",
        "is_by_itself": now is not None and now.why != Why.PLANNED,
        "times": times_of(plan) if plan and (plan.is_on or plan.is_ahead) else "",
    }
    page = "moderation/maintenance/read_only.html"
    return render(request, page, context) if must_ask else form_page(request, page, context)


@require_POST
@permission_required(Permission.SITE, changes=never)
def end(request: SiteRequest) -> HttpResponse:
    """Ends it, or takes back what was announced. Asks for no fresh proof, which could not be noted now."""
    end_read_only(by=request.user.user_id)
    messages.success(request, _("Everyone can write again."))
    return redirect(PAGE)
