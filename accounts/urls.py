"""Addresses about people."""

from django.urls import path
from django.views.generic import RedirectView

from accounts.views import follow, preferences, profile, sign_in, sign_up
from socialsite.web import converters  # noqa: F401 - registers <handle:…>

app_name = "accounts"

urlpatterns = [
    # the account at hand
    path("signup", sign_up.sign_up, name="sign_up"),
    path("login", sign_in.sign_in, name="sign_in"),
    path("logout", sign_in.sign_out, name="sign_out"),
    path("settings", RedirectView.as_view(url="/settings/profile"), name="settings"),
    path("settings/profile", profile.edit_profile, name="edit_profile"),
    path("settings/appearance", preferences.appearance, name="appearance"),
    path("settings/language", preferences.language, name="language"),
    path("settings/profile/header", profile.show_header, name="profile_header"),
    # a person
    path("@<handle:handle>/follow", follow.follow, name="follow"),
    path("@<handle:handle>/followers", follow.followers, name="followers"),
    path("@<handle:handle>/following", follow.following, name="following"),
]
