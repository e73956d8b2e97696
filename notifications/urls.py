"""The addresses of notifications."""

from django.urls import path

from notifications import views as choices
from notifications import views as notifications
from notifications import views as pulse
from notifications.digest import views as digest
from notifications.push import views as push

app_name = "notifications"

urlpatterns = [
    path("notifications", notifications.notifications, name="notifications"),
    path("notifications/read", notifications.read, name="read_notifications"),
    path("settings/notifications", choices.choices, name="notification_choices"),
    path("settings/notifications/letters", digest.letters, name="letters"),
    path("settings/notifications/letter", digest.preview, name="letter"),
    path("settings/notifications/push", push.choices, name="push_choices"),
    path("settings/notifications/push/state", push.state, name="push_state"),
    path("settings/notifications/push/devices", push.devices, name="push_devices"),
    path("settings/notifications/push/remove", push.remove, name="remove_push_device"),
    path("settings/notifications/push/test", push.test, name="test_push"),
    path("pulse", pulse.pulse, name="pulse"),
    path("live", pulse.live, name="live"),
]
