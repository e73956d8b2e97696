"""The sign-up page."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.people.reads import is_handle_free
from accounts.requests import (
    SiteRequest,
    asked_language,
    browser_of,
    render_in,
    safe_target,
    typed_so_far,
)
from accounts.sign_in.browsers import origins_of, remember_browser, remember_origin
from accounts.sign_in.views import keep_session
from accounts.sign_in.writes import read_stamp, sign_in
from accounts.sign_up import writes
from accounts.sign_up.forms import JoinForm
from accounts.sign_up.writes import InviteUnknown, InviteUsedUp, check_invite, who_just_signed_up
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import AddressEffect, SignUp, SiteRules
from socialsite.web.fragments import form_page
from socialsite.web.limits import SIGN_UP_BY_ADDRESS, client_address, count_hits
from socialsite.web.preferences import chosen_preferences

FORM_ID = "sign-up"


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_up(request: SiteRequest) -> HttpResponse:
    """Shows the form. Creates the account, signs it in, and leads to the first steps or the page the person wanted.
    People who must wait for a moderator get a page that says so.

    A handle that is in use, or an invitation that cannot be used, is an error beside its field. An email address
    that is in use is not: its owner gets a letter, and nobody else learns of it.
    """
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    rules, address = site_rules(), client_address(request)
    if text := _closed(rules, address):
        status = 403 if request.method == "POST" else 200
        return render(request, "accounts/signup_closed.html", {"text": text}, status=status)
    if language := asked_language(request):
        return _show_in(language, request, rules, address)
    code = request.GET.get("invite", "")
    # An empty body is a form too: the errors are shown beside the fields.
    typed = request.POST if request.method == "POST" else None
    form = JoinForm(typed, rules=rules, address=address, code=code)
    if request.method == "POST" and not form.is_valid():
        _check_handle(form)
    elif request.method == "POST":
        count_hits((SIGN_UP_BY_ADDRESS, address))
        if joined := _join(request, form):
            return _let_in(request, *joined, form.cleaned_data["name"], target)
    context = {
        "form": form,
        "next": target if target != "/" else "",
        "problem": "" if form.is_bound else _problem_of(code),
        "typed_form": FORM_ID,
    }
    return form_page(request, "accounts/signup.html", context)


def _show_in(language: str, request: SiteRequest, rules: SiteRules, address: str) -> HttpResponse:
    """Shows the form in another language, with what was typed and without errors."""
    typed, target = typed_so_far(request), safe_target(request)
    code = typed.get("invite", "")
    form = JoinForm(rules=rules, address=address, code=code, initial=typed)
    context = {"form": form, "next": target if target != "/" else "", "typed_form": FORM_ID}
    return render_in(language, request, "accounts/signup.html", context)


def _check_handle(form: JoinForm) -> None:
    """Reports a handle in use together with the form's other errors. One GetItem, 0.5 read units."""
    handle = form.cleaned_data.get("handle")
    if handle and not is_handle_free(handle):
        _refuse_handle(form)


def _refuse_handle(form: JoinForm) -> None:
    form.add_error("handle", _("This handle is taken. Try another."))


def _closed(rules: SiteRules, address: str) -> str:
    """Returns why sign-up is closed, to everyone or to this network; empty if open."""
    if rules.sign_up_now == SignUp.CLOSED:
        return _("We’re not taking new accounts at the moment. Please check back later.")
    if rules.effect_on(address) == AddressEffect.BLOCK:
        return _("You can’t sign up from this network. Try a different one.")
    return ""


def _join(request: SiteRequest, form: JoinForm) -> tuple[str, bool] | None:
    """Returns the new person's id, and whether they wait for approval: by the site's settings, or because today is
    full. None with an error in the form if it cannot be.

    A form whose answer was lost may be sent again: its sender gets in.
    """
    try:
        return _sign_up(request, form)
    except writes.HandleTaken:
        if user_id := who_just_signed_up(
            handle=form.account["handle"],
            email=form.account["email"],
            password=form.account["password"],
            address=client_address(request),
        ):
            return user_id, form.waits
        _refuse_handle(form)
    except (InviteUnknown, InviteUsedUp) as error:
        form.add_error("invite", _refusal_of(error))
    return None


def _sign_up(request: SiteRequest, form: JoinForm) -> tuple[str, bool]:
    account, chosen, terms = form.account, chosen_preferences(request), form.admission
    try:
        user_id = writes.sign_up(**account, preferences=chosen, admission=terms, confirmed=False)
    except writes.TooManyToday:
        terms = replace(terms, waits=True)
        user_id = writes.sign_up(**account, preferences=chosen, admission=terms, confirmed=False)
    return user_id, terms.waits


def _let_in(
    request: SiteRequest, user_id: str, waits: bool, name: str, target: str
) -> HttpResponse:
    """Signs a new person in, and leads them on."""
    stamp, origins = read_stamp(user_id), origins_of(request)
    secret = sign_in(user_id=user_id, browser=browser_of(request), origins=origins)
    keep_session(request, user_id, secret)
    if waits:
        messages.success(request, _("Thanks. A moderator will review your request."))
        response = redirect("/standing")
    else:
        messages.success(request, _("Welcome, %(name)s!") % {"name": name})
        response = redirect(target if target != "/" else "/welcome")
    remember_browser(request, response, user_id=user_id, stamp=stamp)
    remember_origin(response, origins)
    return response


def _problem_of(code: str) -> str:
    """Returns why an invitation cannot be used, shown before the person types anything."""
    try:
        if code:
            check_invite(code)
    except (InviteUnknown, InviteUsedUp) as error:
        return _refusal_of(error)
    return ""


def _refusal_of(error: InviteUnknown | InviteUsedUp) -> str:
    if isinstance(error, InviteUsedUp):
        return _("This invitation has been used up. Ask for a new one.")
    return _("This invitation has expired, or never existed. Ask for a new one.")
