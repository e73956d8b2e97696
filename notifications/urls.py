"""The addresses of notifications."""

from django.urls import path

from notifications.views import choices, notifications, pulse

app_name = "notifications"

urlpatterns = [
    path("notifications", notifications.notifications, name="notifications"),
    path("notifications/read", notifications.read, name="read_notifications"),
    path("settings/notifications", choices.choices, name="notification_choices"),
    path("pulse", pulse.pulse, name="pulse"),
]
