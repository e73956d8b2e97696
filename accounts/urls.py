"""The addresses of accounts and their settings."""

from django.urls import path
from django.views.generic import RedirectView

from accounts.addresses import views as addresses
from accounts.mail import views as letters
from accounts.own_tokens import views as own_tokens
from accounts.profile import views as profile
from accounts.proof import views as proof
from accounts.security import passkey_views as passkeys
from accounts.security import views as security
from accounts.sign_in import views as sign_in
from accounts.sign_up import views as sign_up

app_name = "accounts"

urlpatterns = [
    path(".well-known/change-password", passkeys.change_password, name="change_password"),
    path(".well-known/passkey-endpoints", passkeys.passkey_endpoints, name="passkey_endpoints"),
    path(".well-known/webauthn", passkeys.related_origins, name="related_origins"),
    path("signup", sign_up.sign_up, name="sign_up"),
    path("login", sign_in.sign_in, name="sign_in"),
    path("login/code", sign_in.enter_code, name="enter_code"),
    path("login/passkey", sign_in.sign_in_with_passkey, name="sign_in_with_passkey"),
    path("login/code/passkey", sign_in.enter_passkey, name="enter_passkey"),
    path("password/forgot", security.forgot_password, name="forgot_password"),
    path("password/reset/<slug:secret>", security.reset_password, name="reset_password"),
    path("email/confirm/<slug:secret>", addresses.confirm_email, name="confirm_email"),
    path("email/undo/<slug:secret>", addresses.undo_email_change, name="undo_email_change"),
    path("u/<slug:token>", letters.unsubscribe, name="unsubscribe"),
    path("confirm", proof.confirm, name="confirm"),
    path("confirm/passkey", proof.confirm_with_passkey, name="confirm_with_passkey"),
    path("logout", sign_in.sign_out, name="sign_out"),
    path("settings", RedirectView.as_view(url="/settings/profile"), name="settings"),
    path("settings/profile", profile.edit_profile, name="edit_profile"),
    path("settings/handle", profile.handle, name="handle"),
    path("settings/appearance", profile.appearance, name="appearance"),
    path("settings/language", profile.language, name="language"),
    path("settings/profile/header", profile.show_header, name="profile_header"),
    path("settings/password", security.password, name="password"),
    path("settings/email", addresses.own_email, name="own_email"),
    path("settings/email/send", addresses.send_link, name="send_email_link"),
    path("settings/email/change", addresses.change_email, name="change_email"),
    path("settings/pause", profile.pause, name="pause"),
    path("settings/pause/end", profile.come_back, name="come_back"),
    path("settings/passkeys", passkeys.passkeys, name="passkeys"),
    path("settings/passkeys/add", passkeys.add_passkey, name="add_passkey"),
    path("settings/passkeys/rename", passkeys.rename_passkey, name="rename_passkey"),
    path("settings/passkeys/remove", passkeys.remove_passkey, name="remove_passkey"),
    path("settings/tokens", own_tokens.tokens, name="tokens"),
    path("settings/tokens/new", own_tokens.new_token, name="new_token"),
    path("settings/tokens/end", own_tokens.end_token, name="end_token"),
    path("settings/security", security.security, name="security"),
    path("settings/security/begin", security.begin, name="begin_second_factor"),
    path("settings/security/set-up", security.set_up, name="set_up_second_factor"),
    path("settings/security/replace", security.replace, name="replace_second_factor"),
    path(
        "settings/security/replace/set-up", security.set_up_replacement, name="set_up_replacement"
    ),
    path("settings/security/recovery", security.renew_codes, name="renew_recovery_codes"),
    path("settings/security/turn-off", security.turn_off, name="turn_off_second_factor"),
    path("settings/security/sign-out", security.end_one_sign_in, name="end_sign_in"),
    path("settings/security/apps/end", security.end_app, name="end_app"),
    path("settings/security/sign-out-others", security.end_others, name="end_other_sign_ins"),
]
