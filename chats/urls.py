"""The addresses of private messages."""

from collections.abc import Iterator

from django.urls import URLPattern, path

from chats import views
from socialsite.web import converters  # noqa: F401 - registers <handle:…> and <id:…>

app_name = "chats"

WHERE = ("messages/@<handle:handle>", "messages/groups/<id:group>")


def _in_each(rest: str, view: object, name: str) -> Iterator[URLPattern]:
    for place, suffix in zip(WHERE, ("", "_of_group"), strict=True):
        yield path(f"{place}{rest}", view, name=f"{name}{suffix}")  # type: ignore[call-overload]


urlpatterns = [
    path("messages", views.chats, name="chats"),
    path("messages/requests", views.requests, name="requests"),
    path("messages/kept", views.kept, name="kept"),
    path("messages/kept/<id:message_id>/forget", views.forget, name="forget"),
    path("messages/@<handle:handle>/answer", views.answer, name="answer"),
    path("settings/messages", views.choices, name="choices"),
    *_in_each("", views.chat, "chat"),
    *_in_each("/news", views.news, "news"),
    *_in_each("/read", views.read, "read"),
    *_in_each("/draft", views.draft, "draft"),
    *_in_each("/days", views.days, "days"),
    *_in_each("/<id:message_id>/photos/<int:number>", views.photo, "message_photo"),
    *_in_each("/<id:message_id>/delete", views.delete, "delete"),
    *_in_each("/<id:message_id>/keep", views.keep, "keep"),
]
