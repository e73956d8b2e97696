"""Addresses about people."""

from django.urls import path
from django.views.generic import RedirectView

from accounts.views import (
    block,
    circles,
    export_relations,
    favourite,
    follow,
    friend,
    friends,
    mute,
    preferences,
    privacy,
    profile,
    prove_identity,
    requests,
    second_factor,
    security,
    sign_in,
    sign_up,
)
from socialsite.web import converters  # noqa: F401 - registers <handle:…>

app_name = "accounts"

urlpatterns = [
    # the account at hand
    path("signup", sign_up.sign_up, name="sign_up"),
    path("login", sign_in.sign_in, name="sign_in"),
    path("login/code", sign_in.enter_code, name="enter_code"),
    path("confirm", prove_identity.confirm, name="confirm"),
    path("logout", sign_in.sign_out, name="sign_out"),
    path("settings", RedirectView.as_view(url="/settings/profile"), name="settings"),
    path("settings/profile", profile.edit_profile, name="edit_profile"),
    path("settings/appearance", preferences.appearance, name="appearance"),
    path("settings/language", preferences.language, name="language"),
    path("settings/profile/header", profile.show_header, name="profile_header"),
    path("settings/privacy", privacy.privacy, name="privacy"),
    path("settings/blocks", privacy.blocks, name="blocks"),
    path("settings/security", security.security, name="security"),
    path("settings/security/begin", second_factor.begin, name="begin_second_factor"),
    path("settings/security/set-up", second_factor.set_up, name="set_up_second_factor"),
    path("settings/security/recovery", second_factor.renew_codes, name="renew_recovery_codes"),
    path("settings/security/turn-off", second_factor.turn_off, name="turn_off_second_factor"),
    path("settings/security/sign-out", security.end_one_sign_in, name="end_sign_in"),
    path("settings/security/sign-out-others", security.end_others, name="end_other_sign_ins"),
    path("settings/data", export_relations.data, name="data"),
    path("settings/data/<slug:kind>.csv", export_relations.export_relations, name="export"),
    # one's people
    path("friends", friends.friends, name="friends"),
    path("circles", circles.circles, name="circles"),
    path("circles/rename", circles.rename_circle, name="rename_circle"),
    path("circles/delete", circles.delete_circle, name="delete_circle"),
    path("requests", requests.requests, name="requests"),
    # a person
    path("@<handle:handle>/follow", follow.follow, name="follow"),
    path("@<handle:handle>/followers", follow.followers, name="followers"),
    path("@<handle:handle>/following", follow.following, name="following"),
    path("@<handle:handle>/remove-follower", follow.remove_follower, name="remove_follower"),
    path("@<handle:handle>/follow-request", requests.follow_request, name="follow_request"),
    path("@<handle:handle>/friend", friend.friend, name="friend"),
    path("@<handle:handle>/favourite", favourite.favourite, name="favourite"),
    path("@<handle:handle>/mute", mute.mute, name="mute"),
    path("@<handle:handle>/block", block.block, name="block"),
    path("@<handle:handle>/circles", circles.friend_circles, name="friend_circles"),
]
