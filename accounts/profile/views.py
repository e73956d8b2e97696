"""Editing a profile, in place of its header or on its own page, and your handle; preferences, with the small
language switch; pausing the account, and coming back."""

from dataclasses import asdict, replace
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import proof_required
from accounts.people.cards import Kind
from accounts.people.reads import KEPT, HandleTaken, get_own_handles, get_user_info, is_handle_free
from accounts.profile import writes
from accounts.profile.forms import ChangeHandleForm, FirstStepsForm, PreferencesForm, ProfileForm
from accounts.profile.writes import (
    BadImage,
    ChangedTooOften,
    change_handle,
    change_pictures,
    end_pause,
    pause_account,
    remove_picture,
)
from accounts.requests import SiteRequest, account_required, safe_target, sign_in_required
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import form_page
from socialsite.web.limits import HANDLE_CHANGES, UPLOADS, count_hits, next_window
from socialsite.web.preferences import (
    Preferences,
    full_date,
    keep_in_browser,
    language_for,
    preferences_of,
)


@takes_upload(2 * MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def edit_profile(request: SiteRequest) -> HttpResponse:
    """Shows the filled form, and saves it. If something is refused, what was typed stays."""
    if request.method != "POST":
        person = get_user_info(request.user.user_id, viewer=request.user)
        initial = {name: getattr(person, name) for name in ("name", "bio", "location", "gender")}
        return _page(request, ProfileForm(initial=initial))
    form = ProfileForm(request.POST, request.FILES)
    if not form.is_valid() or not save_profile(request, form):
        return _page(request, form)
    messages.success(request, _("Profile saved."))
    return own_header(request, is_fresh=True)


@require_safe
@sign_in_required
def show_header(request: SiteRequest) -> HttpResponse:
    """Shows the header again, for people who cancelled."""
    return own_header(request)


def own_header(request: SiteRequest, *, is_fresh: bool = False) -> HttpResponse:
    """Answers with the viewer's own header: htmx gets the fragment, others are sent to the page."""
    if not request.htmx:
        return redirect(f"/@{request.user.handle}")
    person = get_user_info(request.user.user_id, viewer=request.user, consistent=is_fresh)
    return render(request, "accounts/_own_header.html", {"person": person})


def save_profile(request: SiteRequest, form: ProfileForm | FirstStepsForm) -> bool:
    """Saves a valid form. Returns False, with a message beside the picture, if a picture cannot be used."""
    values = form.cleaned_data
    uploads = {kind: values[kind] for kind in Kind if values.get(kind)}
    try:
        if uploads:
            count_hits((UPLOADS, request.user.user_id))
            change_pictures(by=request.user, uploads=uploads)
    except BadImage as bad:
        told = _("We couldn’t use that picture. Try a JPEG or PNG.")
        if bad.is_blocked:
            told = _("This picture can’t be used here. Choose another one.")
        form.add_error(bad.kind, told)
        return False
    for kind in Kind:
        if kind not in uploads and values.get(f"remove_{kind}"):
            remove_picture(by=request.user, kind=kind)
    writes.edit_profile(
        by=request.user,
        name=values.get("name"),
        bio=values["bio"],
        location=values.get("location"),
        gender=values.get("gender"),
    )
    return True


def _page(request: SiteRequest, form: ProfileForm) -> HttpResponse:
    response = form_page(
        request,
        "accounts/edit_profile.html",
        {"form": form},
        fragment="accounts/_profile_form.html",
    )
    response["Cache-Control"] = "no-store"
    return response


PAGE = "/settings/handle"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def handle(request: SiteRequest) -> HttpResponseBase:
    """Says what a change does, and makes it. Without a fresh proof of identity it asks for that first, then shows the
    form again with what was typed."""
    if request.method != "POST":
        typed = request.GET.get("handle", "")[:31]
        return _handle_page(request, ChangeHandleForm(initial={"handle": typed}))
    form = ChangeHandleForm(request.POST)
    if not form.is_valid():
        return _handle_page(request, form)
    wanted = form.cleaned_data["handle"]
    if not is_handle_free(wanted, to=request.user.user_id):
        return _taken(request, form)
    back = f"{PAGE}?{urlencode({'handle': wanted})}"
    return proof_required(back_to=back)(_change)(request, form)


def _change(request: SiteRequest, form: ChangeHandleForm) -> HttpResponse:
    wanted = form.cleaned_data["handle"]
    try:
        change_handle(by=request.user, handle=wanted)
    except HandleTaken:
        return _taken(request, form)
    except ChangedTooOften:
        text = _("You’ve changed your handle often lately. You can do it again from %(moment)s.")
        form.add_error("handle", text % {"moment": full_date(next_window(HANDLE_CHANGES))})
        return _handle_page(request, form)
    messages.success(request, _("You’re @%(handle)s now.") % {"handle": wanted})
    return redirect(PAGE)


def _taken(request: SiteRequest, form: ChangeHandleForm) -> HttpResponse:
    form.add_error("handle", _("This handle is taken. Try another."))
    return _handle_page(request, form)


def _handle_page(request: SiteRequest, form: ChangeHandleForm) -> HttpResponse:
    present, former = get_own_handles(by=request.user)
    context = {
        "form": form,
        "present": present,
        "former": former,
        "days": KEPT.days,
        "times": HANDLE_CHANGES.hits,
        "in_days": HANDLE_CHANGES.seconds // 86_400,
    }
    return form_page(request, "accounts/handle.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def appearance(request: SiteRequest) -> HttpResponse:
    """Shows and saves the preferences of this browser, for visitors too."""
    typed = request.POST if request.method == "POST" else None
    form = PreferencesForm(typed, initial=asdict(preferences_of(request)))
    if form.is_valid():
        preferences = Preferences(**form.cleaned_data)
        response = _save(request, preferences, to=request.path)
        with override(language_for(request, preferences)):
            messages.success(request, _("Settings saved."))
        return response
    response = form_page(request, "accounts/appearance.html", {"form": form})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def language(request: SiteRequest) -> HttpResponse:
    """Changes only the language, and shows the same page in it."""
    wanted = request.POST.get("language")
    if wanted not in dict(settings.LANGUAGES):
        raise BadRequest("language is one that the site speaks")
    preferences = replace(preferences_of(request), language=wanted)
    return _save(request, preferences, to=safe_target(request))


def _save(request: SiteRequest, preferences: Preferences, *, to: str) -> HttpResponse:
    if request.user.is_authenticated:
        writes.save_preferences(by=request.user, preferences=preferences)
    response = redirect(to)
    keep_in_browser(response, preferences)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def pause(request: SiteRequest) -> HttpResponse:
    """Says what a pause does. A POST begins it, and leads to the page from which the person comes back."""
    if request.method != "POST":
        return render(request, "accounts/pause.html")
    pause_account(by=request.user)
    return redirect("/standing")


@require_POST
@account_required
def come_back(request: SiteRequest) -> HttpResponse:
    """Ends the pause. Signing in does not, because that may be by mistake."""
    end_pause(by=request.user)
    messages.success(request, _("Welcome back! Everyone can see you again."))
    return redirect("/")
