"""What people set about themselves, and the people who may: rows as in `authorisation.py`."""

from tests.conftest import PASSWORD
from tests.web.authorisation import MEMBERS, but, get, post

SETTINGS_ROWS = [
    get("edit_profile", "/settings/profile", MEMBERS),
    post("edit_profile", "/settings/profile", MEMBERS, name="N"),
    get("profile_header", "/settings/profile/header", MEMBERS),
    get("privacy", "/settings/privacy", MEMBERS),
    post("privacy", "/settings/privacy", MEMBERS, pending="keep"),
    get("limit_past_posts", "/settings/privacy/past-posts", MEMBERS),
    post("limit_past_posts", "/settings/privacy/past-posts", MEMBERS, audience="friends"),
    get("old_posts", "/settings/old-posts", MEMBERS),
    get("wish_old_posts", "/settings/old-posts/wish", MEMBERS),
    post("wish_old_posts", "/settings/old-posts/wish", MEMBERS, days="30", kinds="posts"),
    post("keep_old_posts", "/settings/old-posts/keep", MEMBERS),
    get("delete_old_posts", "/settings/old-posts/delete", MEMBERS),
    post("delete_old_posts", "/settings/old-posts/delete", MEMBERS, kinds="posts", sure="on"),
    post("stop_deleting", "/settings/old-posts/stop", MEMBERS),
    get("blocks", "/settings/blocks", MEMBERS),
    get("pause", "/settings/pause", MEMBERS),
    post("pause", "/settings/pause", "isssssssss"),  # done, and shown there
    but(post("come_back", "/settings/pause/end", MEMBERS), suspended="y"),
    get("password", "/settings/password", MEMBERS),
    post(
        "password",
        "/settings/password",
        MEMBERS,
        password=PASSWORD,
        new_password="another long one",
    ),
    get("passkeys", "/settings/passkeys", MEMBERS),
    get("add_passkey", "/settings/passkeys/add", MEMBERS),
    post("add_passkey", "/settings/passkeys/add", MEMBERS, name="Phone", credential="{}"),
    get("rename_passkey", "/settings/passkeys/rename?passkey=of-nobody", "innnnnnnnn"),
    post("rename_passkey", "/settings/passkeys/rename?passkey=of-nobody", "innnnnnnnn", name="X"),
    get("remove_passkey", "/settings/passkeys/remove?passkey=of-nobody", MEMBERS),  # first proves
    post("remove_passkey", "/settings/passkeys/remove?passkey=of-nobody", MEMBERS),
    get("security", "/settings/security", MEMBERS),
    post("begin_second_factor", "/settings/security/begin", MEMBERS, password=PASSWORD),
    get("set_up_second_factor", "/settings/security/set-up", MEMBERS),
    get("renew_recovery_codes", "/settings/security/recovery", MEMBERS),
    get("turn_off_second_factor", "/settings/security/turn-off", MEMBERS),
    post("end_sign_in", "/settings/security/sign-out", MEMBERS, sign_in="of nobody"),
    post("end_other_sign_ins", "/settings/security/sign-out-others", MEMBERS),
    but(get("confirm", "/confirm", MEMBERS), suspended="y"),
    but(post("confirm", "/confirm", MEMBERS, password=PASSWORD), suspended="y"),
    get("notification_choices", "/settings/notifications", MEMBERS),
    post("notification_choices", "/settings/notifications", MEMBERS, likes="on"),
    get("own_reports", "/settings/reports", MEMBERS),
    get("data", "/settings/data", MEMBERS),
    get("export", "/settings/data/muted_accounts.csv", MEMBERS),
]
