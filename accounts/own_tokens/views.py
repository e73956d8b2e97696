"""The page of the tokens that someone made, making one, and ending one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access.reads import list_signed_in
from accounts.access.writes import SignInEnded, end_access
from accounts.guards import proof_required
from accounts.own_tokens.forms import TokenForm
from accounts.own_tokens.writes import MOST_TOKENS, FormIsOld, TooManyTokens, make_token
from accounts.requests import SiteRequest, sign_in_required
from socialsite.table import ids
from socialsite.web.fragments import form_page

PAGE = "/settings/tokens"


@require_safe
@never_cache
@sign_in_required
def tokens(request: SiteRequest) -> HttpResponse:
    """Lists them. Costs as `list_signed_in`."""
    own = [one for one in list_signed_in(request.user).apps if one.is_own]
    context = {"tokens": own, "most": MOST_TOKENS, "is_full": len(own) >= MOST_TOKENS}
    return render(request, "accounts/tokens.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def new_token(request: SiteRequest) -> HttpResponse:
    """Asks what the token is for, after a proof of identity, makes it and shows it once."""
    first = {"nonce": ids.new_id(), "may": ["read"]}
    form = TokenForm(request.POST if request.method == "POST" else None, initial=first)
    if form.is_valid():
        try:
            token = make_token(by=request.user, **form.values)
        except TooManyTokens:
            form.add_error(None, _("You have as many tokens as you can have. End one first."))
        except FormIsOld:
            typed = request.POST.copy()
            typed["nonce"] = ids.new_id()
            form.data = typed
            form.add_error(
                None, _("This form was sent before. Send it once more for another token.")
            )
        except SignInEnded:
            return redirect(PAGE)
        else:
            context = {"token": token, "name": form.cleaned_data["name"]}
            return render(request, "accounts/token_made.html", context)
    return form_page(request, "accounts/new_token.html", {"form": form})


@require_POST
@sign_in_required
def end_token(request: SiteRequest) -> HttpResponse:
    """Ends one in one press. Without a proof, as with apps. Does nothing if it has ended or is somebody else's."""
    end_access(user_id=request.user.user_id, secret_hash=request.POST.get("token", "")[:64])
    messages.success(request, _("The token has ended. Programs can’t use it any more."))
    return redirect(PAGE)
