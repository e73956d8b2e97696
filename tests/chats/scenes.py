"""Conversations as tests begin with them."""

from typing import Any

from accounts.people.viewer import Viewer
from chats.reads import ChatPage, get_chat
from chats.writes import Sent, accept_chat, send_message
from relations.follows.writes import follow
from socialsite.table import ids, keys


def write(by: Viewer, to: Viewer, text: str = "Hello", **more: Any) -> Sent:
    """Sends a message as the form of a page does."""
    nonce = more.pop("nonce", "") or ids.new_id()
    chat_id = keys.pair(by.user_id, to.user_id)
    return send_message(by=by, chat_id=chat_id, text=text, nonce=nonce, **more)


def knows(one: Viewer, other: Viewer) -> None:
    """Lets one person follow the other, who can then write to them without asking."""
    follow(by=one, user_id=other.user_id)


def accept(by: Viewer, other: Viewer) -> None:
    accept_chat(by=by, chat_id=keys.pair(by.user_id, other.user_id))


def seen_by(viewer: Viewer, other: Viewer) -> ChatPage:
    return get_chat(viewer, keys.pair(viewer.user_id, other.user_id), consistent=True)


def texts(viewer: Viewer, other: Viewer) -> list[str]:
    return [one.text for one in seen_by(viewer, other).messages]
