"""The addresses of tags."""

from django.urls import path

from socialsite.web import converters  # noqa: F401 - registers <tag:…>
from tags.views import atom, complete, follow, tag

app_name = "tags"

urlpatterns = [
    path("complete", complete.complete, name="complete"),
    path("tags", follow.followed, name="followed_tags"),
    path("tags/<tag:tag>", tag.tag, name="tag"),
    path("tags/<tag:tag>/follow", follow.follow, name="follow_tag"),
    path("tags/<tag:tag>/feed.atom", atom.atom, name="tag_atom"),
]
