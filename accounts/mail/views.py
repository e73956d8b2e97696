"""The link that ends letters of one kind. It works without a sign-in, and mail programs press it by themselves (RFC
8058); looking changes nothing, as programs that check letters for viruses open every link."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.mail.choices import Regular, end_letter
from accounts.mail.signed import BadSignature, read_unsubscribe_token
from socialsite.table import NotFound
from socialsite.web.limits import Limit, count_hits

NAMES: dict[Regular, str | Promise] = {
    Regular.DIGEST: _("the letter with what you missed"),
    Regular.UNREAD: _("letters about unread messages and answers"),
    Regular.STAFF: _("the weekly letter to the team"),
}
PRESSES = Limit("unsubscribe", 20, 3600)


@csrf_exempt  # whoever has the link may press it: a mail program, in the name of its owner
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Shows one button, which ends the letters. Answers the same for someone who has left."""
    try:
        letter, user_id = read_unsubscribe_token(token)
    except BadSignature as error:
        raise NotFound("no such link") from error
    is_ended = request.method == "POST"
    if is_ended:
        count_hits((PRESSES, f"{letter} {user_id}"))
        end_letter(letter, user_id=user_id)
    context = {"name": NAMES[letter], "is_ended": is_ended}
    response = render(request, "accounts/unsubscribe.html", context)
    response["Referrer-Policy"] = "no-referrer"  # the address is all that it takes
    return response
