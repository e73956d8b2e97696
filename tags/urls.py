"""The addresses of tags."""

from django.urls import path

from socialsite.web import converters  # noqa: F401 - registers <tag:…>
from tags import views

app_name = "tags"

urlpatterns = [
    path("complete", views.complete, name="complete"),
    path("tags", views.followed, name="followed_tags"),
    path("tags/<tag:tag>", views.tag, name="tag"),
    path("tags/<tag:tag>/follow", views.follow, name="follow_tag"),
    path("tags/<tag:tag>/feed.atom", views.atom, name="tag_atom"),
]
