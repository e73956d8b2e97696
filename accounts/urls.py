"""The addresses of accounts and their settings."""

from django.urls import path
from django.views.generic import RedirectView

from accounts.views import (
    enter_code,
    handle,
    password,
    pause,
    preferences,
    profile,
    prove_identity,
    reset_password,
    second_factor,
    security,
    sign_in,
    sign_up,
    well_known,
)
from accounts.views.addresses import confirm, own, undo
from accounts.views.passkeys import add, manage, prove
from accounts.views.passkeys import sign_in as passkey_sign_in

app_name = "accounts"

urlpatterns = [
    path(".well-known/change-password", well_known.change_password, name="change_password"),
    path(".well-known/passkey-endpoints", well_known.passkey_endpoints, name="passkey_endpoints"),
    path("signup", sign_up.sign_up, name="sign_up"),
    path("login", sign_in.sign_in, name="sign_in"),
    path("login/code", enter_code.enter_code, name="enter_code"),
    path("login/passkey", passkey_sign_in.sign_in_with_passkey, name="sign_in_with_passkey"),
    path("login/code/passkey", passkey_sign_in.enter_passkey, name="enter_passkey"),
    path("password/forgot", reset_password.forgot_password, name="forgot_password"),
    path("password/reset/<slug:secret>", reset_password.reset_password, name="reset_password"),
    path("email/confirm/<slug:secret>", confirm.confirm_email, name="confirm_email"),
    path("email/undo/<slug:secret>", undo.undo_email_change, name="undo_email_change"),
    path("confirm", prove_identity.confirm, name="confirm"),
    path("confirm/passkey", prove.confirm_with_passkey, name="confirm_with_passkey"),
    path("logout", sign_in.sign_out, name="sign_out"),
    path("settings", RedirectView.as_view(url="/settings/profile"), name="settings"),
    path("settings/profile", profile.edit_profile, name="edit_profile"),
    path("settings/handle", handle.handle, name="handle"),
    path("settings/appearance", preferences.appearance, name="appearance"),
    path("settings/language", preferences.language, name="language"),
    path("settings/profile/header", profile.show_header, name="profile_header"),
    path("settings/password", password.password, name="password"),
    path("settings/email", own.own_email, name="own_email"),
    path("settings/email/send", own.send_link, name="send_email_link"),
    path("settings/email/change", own.change_email, name="change_email"),
    path("settings/pause", pause.pause, name="pause"),
    path("settings/pause/end", pause.come_back, name="come_back"),
    path("settings/passkeys", manage.passkeys, name="passkeys"),
    path("settings/passkeys/add", add.add_passkey, name="add_passkey"),
    path("settings/passkeys/rename", manage.rename_passkey, name="rename_passkey"),
    path("settings/passkeys/remove", manage.remove_passkey, name="remove_passkey"),
    path("settings/security", security.security, name="security"),
    path("settings/security/begin", second_factor.begin, name="begin_second_factor"),
    path("settings/security/set-up", second_factor.set_up, name="set_up_second_factor"),
    path("settings/security/replace", second_factor.replace, name="replace_second_factor"),
    path(
        "settings/security/replace/set-up",
        second_factor.set_up_replacement,
        name="set_up_replacement",
    ),
    path("settings/security/recovery", second_factor.renew_codes, name="renew_recovery_codes"),
    path("settings/security/turn-off", second_factor.turn_off, name="turn_off_second_factor"),
    path("settings/security/sign-out", security.end_one_sign_in, name="end_sign_in"),
    path("settings/security/sign-out-others", security.end_others, name="end_other_sign_ins"),
]
