"""Where toasts wait for the next page: Django's signed cookie, under a name that only this host may set."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage


class ToastCookie(CookieStorage):
    """The `MESSAGE_STORAGE`. It is sent as the session's cookie is: over https alone, and not to scripts."""

    cookie_name = settings.TOAST_COOKIE_NAME
