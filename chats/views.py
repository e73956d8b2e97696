"""The pages of private messages: the list, requests, a conversation, what one keeps, and who may write.

A conversation of two has the other person's address (`/messages/@bob`), a group one of its own. Every view below takes
one or the other, and asks `chat_of` which conversation that is.
"""

from collections.abc import Sequence
from functools import partial

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.people.cards import PersonCard
from accounts.people.reads import find_mentioned
from accounts.people.restrictions import Frozen
from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest, sign_in_required
from accounts.sessions import read_signed_in
from chats import writes
from chats.forms import ChatSettingsForm, DaysForm, MessageForm, MuteChatForm
from chats.kept import forget_kept_message, keep_message, list_kept
from chats.photos.cards import enclosed_from, photos_shown
from chats.reads import (
    ChatPage,
    MessageCard,
    get_chat,
    get_message,
    get_new_messages,
    get_photos_of_message,
    list_chats,
    mark_of,
    recent_of,
)
from chats.standing import standing_of, waits_text
from chats.writes import CannotWrite
from feed.composing.composer import (
    arrange_tiles,
    descriptions_in,
    refuse_photos,
    take_photos_of_message,
)
from feed.publishing.photos import CannotAttach
from photos.forms import MOST_PHOTOS
from relations.reads import as_others_see
from relations.relation import Blocked
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import Key, NotFound, ids, keys
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment
from socialsite.web.limits import LimitReached

MOST_KNOWN = 100


@require_safe
@sign_in_required
def chats(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's conversations, the one with the newest message first."""
    return _list(request, "chats/chats.html", is_requests=False)


@require_safe
@sign_in_required
def requests(request: SiteRequest) -> HttpResponse:
    """Shows who asks to write to the viewer."""
    return _list(request, "chats/requests.html", is_requests=True)


def _list(request: SiteRequest, template: str, *, is_requests: bool) -> HttpResponse:
    page = list_chats(request.user, requests=is_requests, cursor=cursor_of(request))
    context = {"rows": page.items, "is_requests": is_requests, **neighbours(request, page)}
    return page_or_fragment(request, template, "chats/_rows.html", context)


@require_safe
@sign_in_required
def kept(request: SiteRequest) -> HttpResponse:
    """Shows the messages that the viewer keeps."""
    page = list_kept(request.user, cursor=cursor_of(request))
    context = {"kept": page.items, **neighbours(request, page)}
    return page_or_fragment(request, "chats/kept.html", "chats/_kept_rows.html", context)


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)  # one too many is told beside the photos
@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponseBase:
    """Shows a conversation with the form for the next message, and sends it."""
    if request.method == "POST":
        made_for = _read_ahead(request, group)  # before anything asks who the viewer is
        return _send(request, handle=handle, group=group, made_for=made_for)
    if group:  # its people are read with its messages
        request.people.read_beside(partial(_itself, keys.chat(group)))
    return _show(request, group=group)


@sign_in_required
def _show(request: SiteRequest, *, group: str) -> HttpResponse:
    chat_id = chat_of(request, group)
    found = get_chat(
        request.user, chat_id, cursor=cursor_of(request), consistent="sent" in request.GET
    )
    _must_see(found)
    initial = {"content": found.draft, "to": found.standing.other_id, "shown": found.newest}
    if ids.is_id(asked := request.GET.get("answers", "")):
        initial["answers"] = asked
    return _page(request, found, MessageForm(initial=initial))


def chat_of(request: SiteRequest, group: str) -> str:
    """Returns the conversation of an address. Raises `NotFound` where nobody has the handle, or it is one's own."""
    if group:
        return group
    if request.people.person_id == request.user.user_id:
        raise NotFound("one does not write to oneself")
    return keys.pair(request.user.user_id, request.people.person_id)


def _must_see(found: ChatPage) -> None:
    """Raises `NotFound` unless the viewer sees the other, and `Suspended`. Their own block they see, and can end."""
    standing = found.standing
    if not (standing.is_member or standing.is_invited) or (
        standing.is_pair and standing.other is None
    ):
        raise NotFound("no such conversation")
    if standing.is_invited and not found.inviter:
        raise NotFound("the invitation is not to be seen")
    if standing.is_blocked and not standing.blocks:
        raise NotFound("the other blocks the viewer")
    if standing.other:
        as_others_see(standing.other)


def _page(
    request: SiteRequest, found: ChatPage, form: MessageForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "found": found,
        "standing": found.standing,
        "form": form,
        "answered": _answered(found, str(form["answers"].value() or "")),
        "days_form": DaysForm(initial={"days": found.standing.keep_days}),
        "mute_form": MuteChatForm(),
        "is_older": bool(cursor_of(request)),
    }
    if request.htmx and not request.htmx.history_restore_request and cursor_of(request):
        return render(request, "chats/_older.html", context)
    if found.standing.is_invited:
        return render(request, "chats/groups/invitation.html", context, status=status)
    return render(request, "chats/chat.html", context, status=status)


def _answered(found: ChatPage, message_id: str) -> MessageCard | None:
    return next((one for one in found.messages if one.message_id == message_id), None)


# Sending


@sign_in_required
def _send(request: SiteRequest, *, handle: str, group: str, made_for: str) -> HttpResponse:
    """Sends what the form holds. htmx gets the message and an empty form, everyone else the conversation. Without a
    script `arrange` moves a photo, or takes it out, and files become photos that stay in the form if it is refused."""
    form = MessageForm(request.POST, request.FILES)
    chat_id = chat_of(request, group)
    if made_for and made_for != chat_id:
        form.add_error(
            None,
            _("@%(handle)s is someone else now. Check who it is before you write.")
            % {"handle": handle},
        )
    is_valid = take_photos_of_message(form, by=request.user)
    if "arrange" in request.POST:
        arrange_tiles(form, request.POST)
        return _refused(request, form, chat_id, status=200)
    sent = _sent(request, form, chat_id) if is_valid else None
    if sent is None:
        return _refused(request, form, chat_id)
    if not request.htmx:
        if shown := form.cleaned_data["shown"]:
            writes.read_messages(by=request.user, chat_id=chat_id, up_to=shown)
        return redirect(f"{request.path}?sent#newest")
    card, is_request = sent
    context = {
        "sent": [card] if card else [],
        "form": MessageForm(initial={"to": form.cleaned_data["to"]}),
        "url": request.path,
        "had_photos": card is not None and card.number_of_photos,
    }
    if is_request:  # nothing more can be written for now
        context["closed"] = waits_text(handle)
    return render(request, "chats/_sent.html", context)


def _read_ahead(request: SiteRequest, group: str) -> str:
    """Has what `send_message` must know read with the viewer, in one call, and returns the conversation for which the
    form was made, empty if it says none."""
    to, me = request.POST.get("to", ""), request.people.session[0]
    chat_id = group or _pair_of(me, to)
    for key in writes.sending_keys(me, chat_id) if me and chat_id else ():
        request.people.read_beside(partial(_itself, key))
    return chat_id


def _itself(key: Key, _me: str) -> Key:
    return key


def _pair_of(me: str, other: str) -> str:
    return keys.pair(me, other) if ids.is_id(other) and me and other != me else ""


def _sent(
    request: SiteRequest, form: MessageForm, chat_id: str
) -> tuple[MessageCard | None, bool] | None:
    """Returns the message, None if it was sent before, and whether it is a request. None if the form says why not."""
    values, by = form.cleaned_data, request.user
    mentions = find_mentioned(values["content"])
    try:
        sent = writes.send_message(
            by=by,
            chat_id=chat_id,
            text=values["content"],
            nonce=values["nonce"],
            mentions=mentions,
            answers=values["answers"],
            photos=form.enclosed,
            descriptions=descriptions_in(form),
            known=by.beside or None,
        )
    except CannotWrite as refusal:
        form.add_error("content", refusal.sentence)
    except Frozen as restricted:  # what was typed stays on the page
        form.add_error("content", restricted.told)
    except CannotAttach as gone:
        refuse_photos(form, gone)
    except Blocked:
        form.add_error(
            "content", _("You can’t write to each other, because one of you blocks the other.")
        )
    except LimitReached as reached:
        form.add_error("content", _too_many(reached))
    else:
        return _card_of(sent, form, mentions, request), sent.is_request
    return None


def _too_many(reached: LimitReached) -> str:
    if reached.kind == writes.REQUESTS_A_DAY.kind:
        return _("You have asked as many people as you can in a day. Try again tomorrow.")
    return _("That was many messages at once. Wait a minute, and send it again.")


def _card_of(
    sent: writes.Sent, form: MessageForm, mentions: dict[str, str] | None, request: SiteRequest
) -> MessageCard | None:
    message, me = sent.message, request.user
    if message is None:
        return None
    assert message.ttl
    url = f"{request.path}/{message.message_id}"
    enclosed = enclosed_from(form.enclosed, descriptions_in(form))
    return MessageCard(
        message.message_id,
        me.user_id,
        is_mine=True,
        ends=message.ttl,
        author=me.card,
        text=form.cleaned_data["content"],
        mentions=mentions or {},
        answers=message.answers or "",
        url=url,
        photos=photos_shown(
            enclosed, url=url, author_id=me.user_id, viewer_id=me.user_id, ends=message.ttl
        ),
        number_of_photos=len(enclosed),
    )


def _refused(
    request: SiteRequest, form: MessageForm, chat_id: str, *, status: int = 422
) -> HttpResponse:
    found = get_chat(request.user, chat_id)
    _must_see(found)
    if not request.htmx:
        return _page(request, found, form, status=status)
    context = {"form": form, "url": request.path, "standing": found.standing}
    response = render(request, "chats/_form.html", context, status=status)
    response["HX-Retarget"] = "#chat-form"
    response["HX-Reswap"] = "outerHTML"
    return response


# What an open page asks


@require_safe
def news(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponse:
    """Answers with what came since the page was made, and with messages that look different now; 204 if nothing did.

    `with` is the other person, `after` the last message that the page had, `known` others that it shows from shortly
    before that on, `mark` how those look, and `closed` says that it has no form. Only what decides is read, until
    something is new.
    """
    asked = request.GET
    me, secret_hash = request.people.session
    chat_id = group or _pair_of(me, asked.get("with", ""))
    if not request.htmx or not chat_id:
        raise NotFound("only an open page asks")
    deciding = [keys.user_info(me), keys.chat_entry(me, chat_id)]
    deciding.append(keys.chat(group) if group else keys.chat_entry(asked["with"], chat_id))
    found = read_signed_in(me, secret_hash, beside=deciding)
    if found is None:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = "/login"
        return response
    viewer = Viewer(me, card=PersonCard.from_raw(found[keys.user_info(me)], viewer_id=me))
    standing = standing_of(viewer, chat_id, found)
    if not standing.is_member:
        raise NotFound("no member")
    mark = mark_of(standing)
    after, known = asked.get("after", ""), asked.get("known", "").split(".")[:MOST_KNOWN]
    came = get_new_messages(chat_id, after=after, known=known)
    is_changed = mark != asked.get("mark", "")
    if not came.raws and came.newest == after and not is_changed:
        return HttpResponse(status=204)
    conversation = came.as_conversation(request.user, chat_id)
    _must_see(conversation)
    context = {
        "came": conversation.messages,
        "changed": _shown(viewer, chat_id, after, known) if is_changed else (),
        "standing": conversation.standing,
        "url": conversation.standing.url,
        "newest": came.newest,
        "recent": recent_of(came.newest),
        "mark": mark,
    }
    if "closed" in asked and not conversation.standing.why_not:  # it can be written again
        context["form"] = MessageForm(initial={"to": conversation.standing.other_id})
    return render(request, "chats/_news.html", context)


def _shown(viewer: Viewer, chat_id: str, after: str, known: Sequence[str]) -> list[MessageCard]:
    """The newest messages that the page has; not one that came since, which has no place on it yet."""
    before, shown = recent_of(after), {after, *known}
    newest = get_chat(viewer, chat_id).messages
    return [one for one in newest if one.message_id < before or one.message_id in shown]


@require_safe
@sign_in_required
def photo(
    request: SiteRequest, message_id: str, number: int, handle: str = "", group: str = ""
) -> HttpResponse:
    """Shows a photo of a message with its whole description. The script that shows photos in a dialog gets all of them
    side by side."""
    found = get_photos_of_message(request.user, chat_of(request, group), message_id)
    _must_see(found)
    card = found.messages[0]
    if not 1 <= number <= len(card.photos):
        raise NotFound("no such photo")
    context = {
        "post": card,  # as the viewer calls what has photos
        "standing": found.standing,
        "photo": card.photos[number - 1],
        "earlier": card.photos[number - 2] if number > 1 else None,
        "later": card.photos[number] if number < len(card.photos) else None,
    }
    return page_or_fragment(request, "chats/photo.html", "feed/photos/_viewer.html", context)


# What one does with messages and requests


@require_POST
@sign_in_required
def read(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponse:
    """Marks everything up to the message `up_to` as read, and answers with the badges."""
    chat_id, up_to = chat_of(request, group), request.POST.get("up_to", "")
    if not ids.is_id(up_to):
        raise BadRequest("up_to is a message")
    waiting = writes.read_messages(by=request.user, chat_id=chat_id, up_to=up_to)
    if request.htmx:
        return render(request, "notifications/_badges.html", {"waiting": waiting})
    return redirect(f"{request.path.removesuffix('/read')}#newest")


@require_POST
@sign_in_required
def answer(request: SiteRequest, handle: str) -> HttpResponse:
    """Accepts (`answer=accept`) or refuses (`refuse`) someone's request to write."""
    chat_id, wanted = chat_of(request, ""), request.POST.get("answer", "")
    if wanted == "accept":
        writes.accept_chat(by=request.user, chat_id=chat_id)
        return redirect(back_of_chat(request))
    if wanted != "refuse":
        raise BadRequest("answer is accept or refuse")
    writes.refuse_chat(by=request.user, chat_id=chat_id)
    messages.success(request, _("Request refused. They aren’t told."))
    return redirect("/messages/requests")


@require_POST
@sign_in_required
def days(request: SiteRequest, handle: str = "", group: str = "") -> HttpResponse:
    """Chooses how long messages live from now on."""
    form = DaysForm(request.POST)
    if not form.is_valid():
        raise BadRequest("days is 1, 7, 30 or 365")
    try:
        writes.choose_days(
            by=request.user, chat_id=chat_of(request, group), days=form.cleaned_data["days"]
        )
    except (CannotWrite, Blocked, Frozen) as refusal:
        why = getattr(refusal, "sentence", "") or getattr(refusal, "told", "")
        messages.error(request, why or _("This can’t be changed now."))
    return redirect(back_of_chat(request))


@require_POST
@sign_in_required
def delete(
    request: SiteRequest, message_id: str, handle: str = "", group: str = ""
) -> HttpResponse:
    """Deletes one of the viewer's own messages for everyone."""
    chat_id = chat_of(request, group)
    writes.delete_message(by=request.user, chat_id=chat_id, message_id=message_id)
    return _changed(request, chat_id, message_id)


@require_POST
@sign_in_required
def keep(request: SiteRequest, message_id: str, handle: str = "", group: str = "") -> HttpResponse:
    """Keeps the words of a message for good. The others see that."""
    chat_id = chat_of(request, group)
    message, card = get_message(request.user, chat_id, message_id)
    if card.is_deleted or card.is_plain or not card.body or not card.text:
        raise NotFound("nothing to keep")
    keep_message(by=request.user, message=message, body=card.body)
    return _changed(request, chat_id, message_id)


@require_POST
@sign_in_required
def forget(request: SiteRequest, message_id: str) -> HttpResponse:
    """Takes a message from those that the viewer keeps."""
    forget_kept_message(by=request.user, message_id=message_id)
    messages.success(request, _("Message removed."))
    return redirect("/messages/kept")


def _changed(request: SiteRequest, chat_id: str, message_id: str) -> HttpResponse:
    if not request.htmx:
        return redirect(back_of_chat(request))
    _message, card = get_message(request.user, chat_id, message_id)
    context = {"one": card, "url": back_of_chat(request)}
    return render(request, "chats/_message.html", context)


def back_of_chat(request: SiteRequest) -> str:
    """Returns the address of the conversation to which the address of a form belongs."""
    return "/".join(request.path.split("/")[: 4 if "/groups/" in request.path else 3])


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def choices(request: SiteRequest) -> HttpResponse:
    """Shows and saves who may write to the viewer, and whether people learn what they have read."""
    card = request.user.card
    assert card
    initial = {"writers": card.writers, "shows_seen": not card.hides_seen}
    form = ChatSettingsForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        values = form.cleaned_data
        writes.choose_who_writes(
            by=request.user, writers=values["writers"], hides_seen=not values["shows_seen"]
        )
        messages.success(request, _("Settings saved."))
        return redirect(request.path)
    return form_page(request, "chats/choices.html", {"form": form})
