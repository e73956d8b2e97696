"""Muting and clearing a conversation, from its page, for oneself alone; and the draft of an open page."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from chats.forms import MessageForm, MuteChatForm
from chats.own_entries import writes
from chats.views import back_of_chat, chat_of
from socialsite.table import ids


@require_POST
@sign_in_required
def mute(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponse:
    """Mutes a conversation for a time, or unmutes it (`length` empty)."""
    form = MuteChatForm(request.POST)
    if not form.is_valid():
        raise BadRequest("length is one of the form's")
    length = form.cleaned_data["length"]
    writes.mute_chat(by=request.user, chat_id=chat_of(request, group), length=length)
    said = _("Muted. It stays in your list, without a badge.") if length else ""
    messages.success(request, said or pgettext("a conversation", "Unmuted."))
    return redirect(back_of_chat(request))


@require_POST
@sign_in_required
def clear(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponse:
    """Takes a conversation out of the viewer's list until something new comes."""
    up_to = request.POST.get("up_to", "")
    if not ids.is_id(up_to):
        raise BadRequest("up_to is a message")
    writes.clear_chat(by=request.user, chat_id=chat_of(request, group), up_to=up_to)
    messages.success(request, _("Conversation cleared for you. The others keep theirs."))
    return redirect("/messages")


@require_POST
@sign_in_required
def draft(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponse:
    """Keeps what was written and not sent."""
    form = MessageForm(request.POST)
    form.is_valid()
    text = form.cleaned_data.get("content", "")
    if text or not request.POST.get("content", "").strip():
        writes.save_chat_draft(by=request.user, chat_id=chat_of(request, group), text=text)
    return HttpResponse(status=204) if request.htmx else redirect(back_of_chat(request))
