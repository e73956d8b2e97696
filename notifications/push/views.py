"""Push in the settings: how someone wants it, on which devices, and what each browser asks at a visit."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest, sign_in_required
from notifications.push.encryption import BadKeys
from notifications.push.forms import DeviceForm, OwnDeviceForm, PushForm
from notifications.push.reads import get_push_state
from notifications.push.services import UnknownService
from notifications.push.site_key import key_id_of
from notifications.push.writes import choose_push, remove_device, send_test, turn_on
from socialsite.web.limits import Limit, count_hits
from socialsite.web.preferences import language_of_page, zone_at_hand

SETTINGS = "/settings/notifications"
TURNED_ON = Limit("push-devices", 30, 3600)
SESSION_PUSH = "push"  # in the browser's session
TESTS = Limit("push-tests", 10, 3600)


def push_settings(viewer: Viewer) -> dict[str, Any]:
    """Returns what the settings show of push. 2 read units."""
    state = get_push_state(viewer)
    form = PushForm(chosen=state.choices, is_staff=viewer.is_staff)
    return {"state": state, "form": form, "zone": state.choices.zone, "zone_here": zone_at_hand()}


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def choices(request: SiteRequest) -> HttpResponse:
    """Saves how the viewer wants to be pushed to."""
    if request.method != "POST":
        return redirect(SETTINGS)
    state = get_push_state(request.user)
    form = PushForm(request.POST, chosen=state.choices, is_staff=request.user.is_staff)
    # Only switches and hours of a list, which a browser cannot fill in wrongly.
    if not form.is_valid():
        raise BadRequest("a switch or an hour of the list")
    choose_push(by=request.user, choices=form.choices())
    messages.success(request, _("Settings saved."))
    return redirect(SETTINGS)


@require_safe
@never_cache
def state(request: SiteRequest) -> HttpResponse:
    """Tells a browser that has a subscription whether that is this sign-in's, and whether to bring it again. For
    visitors it is nobody's."""
    if not request.user.is_authenticated:
        return JsonResponse({"key": "", "device": "", "renews": False})
    found = get_push_state(request.user)
    if found.had_device and not found.here:  # it was removed, here or from another device
        request.session.pop(SESSION_PUSH, None)
    device = found.here.device if found.here else _remembered(request)
    renews = found.must_renew or (bool(device) and found.here is None)
    return JsonResponse({"key": found.public, "device": device, "renews": renews})


def _remembered(request: SiteRequest) -> str:
    """Returns the device that was turned on in this browser's session. A proof of who one is makes a new sign-in in
    the same session, and the device ended with the one before."""
    user_id, _space, device = request.session.get(SESSION_PUSH, "").partition(" ")
    return device if user_id == request.user.user_id else ""


@require_POST
@sign_in_required
def devices(request: SiteRequest) -> HttpResponse:
    """Turns push on in this browser, or renews it."""
    form = DeviceForm(request.POST)
    if not form.is_valid():
        raise BadRequest("what a browser gives for its push service")
    sent = form.cleaned_data
    count_hits((TURNED_ON, request.user.user_id))
    try:
        device = turn_on(
            by=request.user,
            endpoint=sent["endpoint"],
            p256dh=sent["p256dh"],
            auth=sent["auth"],
            key_id=key_id_of(sent["key"]),
            browser=_browser_of(request),
            language=language_of_page(),
        )
    except BadKeys as error:
        raise BadRequest("a browser's keys") from error
    except UnknownService:
        if sent["renews"]:
            return HttpResponse(status=204)
        messages.error(request, _("We don’t send to the push service of this browser."))
        return redirect(SETTINGS)
    request.session[SESSION_PUSH] = f"{request.user.user_id} {device}"
    if sent["renews"]:
        return HttpResponse(status=204)
    messages.success(request, _("Push is on in this browser."))
    return redirect(SETTINGS)


@require_POST
@sign_in_required
def remove(request: SiteRequest) -> HttpResponse:
    """Has nothing pushed to one of the viewer's devices any more."""
    device = _device_in(request)
    remove_device(user_id=request.user.user_id, device=device)
    if device == _remembered(request):
        del request.session[SESSION_PUSH]
    messages.success(request, _("We push nothing to this device any more."))
    return redirect(SETTINGS)


@require_POST
@sign_in_required
def test(request: SiteRequest) -> HttpResponse:
    """Has a test pushed to one of the viewer's devices."""
    device = _device_in(request)
    count_hits((TESTS, request.user.user_id))
    send_test(by=request.user, device=device)
    messages.success(request, _("We sent a test. It comes within seconds."))
    return redirect(SETTINGS)


def _device_in(request: SiteRequest) -> str:
    form = OwnDeviceForm(request.POST)
    if not form.is_valid():
        raise BadRequest("one of your devices")
    device: str = form.cleaned_data["device"]
    return device


def _browser_of(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")
