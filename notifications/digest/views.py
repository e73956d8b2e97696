"""Asking for letters, and seeing the one of today."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.mail.choices import DAILY, LetterChoice, choose_letters
from accounts.requests import SiteRequest, sign_in_required
from notifications.digest.forms import LettersForm
from notifications.digest.letters import digest_letter
from notifications.digest.reads import find_news
from notifications.forms import NotificationsForm
from notifications.push.views import push_settings
from socialsite.clock import utc_now
from socialsite.web.fragments import page_or_fragment
from socialsite.web.preferences import zone_at_hand

PAGE = "/settings/notifications"


@require_POST
@sign_in_required
def letters(request: SiteRequest) -> HttpResponse:
    """Keeps which letters the viewer wants, and when. The first one tells of what is new from now on."""
    viewer = request.user
    form = LettersForm(viewer, request.POST)
    if form.is_valid():
        choose_letters(by=viewer, choice=form.choice, zone=zone_at_hand())
        messages.success(request, _("Settings saved."))
        return redirect(PAGE)
    others = NotificationsForm(None, opted_out=viewer.opted_out, is_staff=viewer.is_staff)
    context = {"form": others, "letters": form, "push": push_settings(viewer)}
    page = "notifications/choices.html"
    return page_or_fragment(request, page, page, context, status=422)


@require_safe
@never_cache
@sign_in_required
def preview(request: SiteRequest) -> HttpResponse:
    """Shows the letter with what the viewer has not seen, as it would be written now."""
    choice = LetterChoice.from_kept(request.user.letters)
    days = 1 if choice.digest == DAILY else 7
    news = find_news(request.user, since=utc_now() - timedelta(days=days))
    letter = digest_letter(news, request.user.handle) if news.is_new else None
    return render(request, "notifications/letter.html", {"letter": letter})
