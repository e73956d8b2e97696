"""The addresses of private messages."""

from collections.abc import Iterator

from django.urls import URLPattern, path

from chats import views
from chats.groups import views as groups
from chats.own_entries import views as own_entries
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
    path("messages/groups/new", groups.new, name="new_group"),
    path("messages/groups/<id:group>/people", groups.people, name="people_of_group"),
    path("messages/groups/<id:group>/name", groups.name, name="name_group"),
    path("messages/groups/<id:group>/remove", groups.remove, name="remove_from_group"),
    path("messages/groups/<id:group>/leave", groups.leave, name="leave_group"),
    path("messages/groups/<id:group>/answer", groups.answer, name="answer_invitation"),
    *_in_each("", views.chat, "chat"),
    *_in_each("/mute", own_entries.mute, "mute"),
    *_in_each("/clear", own_entries.clear, "clear"),
    *_in_each("/news", views.news, "news"),
    *_in_each("/read", views.read, "read"),
    *_in_each("/draft", own_entries.draft, "draft"),
    *_in_each("/days", views.days, "days"),
    *_in_each("/<id:message_id>/photos/<int:number>", views.photo, "message_photo"),
    *_in_each("/<id:message_id>/delete", views.delete, "delete"),
    *_in_each("/<id:message_id>/keep", views.keep, "keep"),
]
