"""The addresses of photos. `/m/` and `/pm/` are made in `reads.py`."""

from django.urls import path, register_converter

from photos import views
from socialsite.web import converters  # noqa: F401 - registers <id:…>

app_name = "photos"


class SecretConverter:
    regex = "[A-Za-z0-9_-]{22}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(SecretConverter, "secret")

urlpatterns = [
    path("photos", views.album, name="photos"),
    path("photos/<id:photo_id>/description", views.describe, name="describe_photo"),
    path("photos/<id:photo_id>/delete", views.remove, name="remove_photo"),
    path("m/<secret:secret>/<str:name>", views.public_photo, name="public_photo"),
    path("pm/<secret:secret>/<str:name>", views.private_photo, name="private_photo"),
]
