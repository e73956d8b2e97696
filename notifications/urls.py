"""The addresses of notifications."""

from django.urls import path

from notifications import views as choices
from notifications import views as notifications
from notifications import views as pulse
from notifications.digest import views as digest

app_name = "notifications"

urlpatterns = [
    path("notifications", notifications.notifications, name="notifications"),
    path("notifications/read", notifications.read, name="read_notifications"),
    path("settings/notifications", choices.choices, name="notification_choices"),
    path("settings/notifications/letters", digest.letters, name="letters"),
    path("settings/notifications/letter", digest.preview, name="letter"),
    path("pulse", pulse.pulse, name="pulse"),
    path("live", pulse.live, name="live"),
]
