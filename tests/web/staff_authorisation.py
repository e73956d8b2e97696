"""Which people may open which address: settings, staff, and what is not published."""

from tests.conftest import PASSWORD
from tests.web.authorisation import EVERYONE, MEMBERS, THIS_YEAR, but, get, post

# What a browser gives for push, of RFC 8291's example.
A_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
A_BROWSER = {
    "endpoint": "https://fcm.googleapis.com/fcm/send/abc",
    "p256dh": A_POINT,
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "key": A_POINT,
}

NO_FILE = "0" * 26
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
    get("muted_words", "/settings/muted-words", MEMBERS),
    post(
        "muted_words",
        "/settings/muted-words",
        MEMBERS,
        word="tea",
        length="ever",
        where="everywhere",
        how="fold",
    ),
    post("unmute_word", "/settings/muted-words/remove", MEMBERS, word="tea"),
    but(get("data_export", "/settings/export", MEMBERS), suspended="y"),
    but(post("data_export", "/settings/export", MEMBERS), suspended="y"),
    but(post("open_export", "/settings/export/download", MEMBERS), suspended="y"),
    but(get("send_export", "/settings/export/file", MEMBERS), suspended="y"),
    get("import", "/settings/import", MEMBERS),
    post("import", "/settings/import", MEMBERS),
    get("import_report", f"/settings/import/{NO_FILE}", "innnnnnnnn"),
    get("send_import_report", f"/settings/import/{NO_FILE}/file", "innnnnnnnn"),
    post("stop_import", f"/settings/import/{NO_FILE}/stop", "innnnnnnnn"),
    post("delete_import_report", f"/settings/import/{NO_FILE}/delete", "innnnnnnnn"),
    get("pause", "/settings/pause", MEMBERS),
    post("pause", "/settings/pause", "isssssssss"),  # done, and shown there
    but(post("come_back", "/settings/pause/end", MEMBERS), suspended="y"),
    get("handle", "/settings/handle", MEMBERS),
    post("handle", "/settings/handle", MEMBERS, handle="other"),
    but(get("close_account", "/settings/close", MEMBERS), suspended="y"),
    but(post("close_account", "/settings/close", MEMBERS, when="later"), suspended="y"),
    but(post("keep_account", "/settings/close/keep", MEMBERS), suspended="y"),
    get("receipt", "/erased/nobody_has_this_receip", "nnnnnnnnnn"),
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
    get("own_email", "/settings/email", MEMBERS),
    post("send_email_link", "/settings/email/send", MEMBERS),
    get("change_email", "/settings/email/change", MEMBERS),
    post("change_email", "/settings/email/change", MEMBERS, email="new@example.org"),
    get("tokens", "/settings/tokens", MEMBERS),
    get("new_token", "/settings/tokens/new", MEMBERS),  # first proves
    post("new_token", "/settings/tokens/new", MEMBERS, name="Bot", may="read", ends="7"),
    post("end_token", "/settings/tokens/end", MEMBERS, token="of nobody"),
    get("security", "/settings/security", MEMBERS),
    post("begin_second_factor", "/settings/security/begin", MEMBERS, password=PASSWORD),
    get("set_up_second_factor", "/settings/security/set-up", MEMBERS),
    get("replace_second_factor", "/settings/security/replace", MEMBERS),
    get("set_up_replacement", "/settings/security/replace/set-up", MEMBERS),
    get("renew_recovery_codes", "/settings/security/recovery", MEMBERS),
    get("turn_off_second_factor", "/settings/security/turn-off", MEMBERS),
    post("end_sign_in", "/settings/security/sign-out", MEMBERS, sign_in="of nobody"),
    post("end_other_sign_ins", "/settings/security/sign-out-others", MEMBERS),
    post("end_app", "/settings/security/apps/end", MEMBERS, app="of nobody"),
    but(get("confirm", "/confirm", MEMBERS), suspended="y"),
    but(post("confirm", "/confirm", MEMBERS, password=PASSWORD), suspended="y"),
    but(post("confirm_with_passkey", "/confirm/passkey", MEMBERS, credential="{}"), suspended="y"),
    get("notification_choices", "/settings/notifications", MEMBERS),
    post("notification_choices", "/settings/notifications", MEMBERS, likes="on"),
    post("letters", "/settings/notifications/letters", MEMBERS, hour="8", weekday="0"),
    get("letter", "/settings/notifications/letter", MEMBERS),
    get("push_choices", "/settings/notifications/push", MEMBERS),
    post(
        "push_choices",
        "/settings/notifications/push",
        MEMBERS,
        **{"push-quiet_from": "22", "push-quiet_to": "7"},
    ),
    get("push_state", "/settings/notifications/push/state", EVERYONE),
    post("push_devices", "/settings/notifications/push/devices", MEMBERS, **A_BROWSER),
    post("remove_push_device", "/settings/notifications/push/remove", MEMBERS, device="0" * 20),
    post("test_push", "/settings/notifications/push/test", MEMBERS, device="0" * 20),
    get("own_reports", "/settings/reports", MEMBERS),
    get("secured", "/secured", MEMBERS),
    post("secured", "/secured", MEMBERS),
    get("data", "/settings/data", MEMBERS),
    get("export", "/settings/data/muted_accounts.csv", MEMBERS),
]

# The pages of staff, and the people who may use each: rows as in `authorisation.py`. For everyone without the
# permission a page does not exist. `{alice}` is the id of Alice, who has a case.

NOBODY = "nnnnnnnnnn"  # of those without a role

CASE = "/moderation/cases/person/{alice}"
# Leads on to a page that asks.
BEGIN = but(get("moderation", "/moderation", NOBODY), moderator="y", admin="y")
CASES = [
    get("secure_account", "/moderation/people/{alice}/secure", NOBODY),
    post("undo_securing", "/moderation/people/{alice}/secure/undo", NOBODY),
    get("reporter", "/moderation/people/{alice}/reports", NOBODY),
    post("reporter", "/moderation/people/{alice}/reports", NOBODY, days="7"),
    post("unmute_reporter", "/moderation/people/{alice}/reports/unmute", NOBODY),
    get("queue", "/moderation/queue", NOBODY),
    post("in_bulk", "/moderation/queue/selected", NOBODY, act="take"),
    post("slow_down", "/moderation/slow-down", NOBODY, hours="0"),
    get("waves", "/moderation/waves", NOBODY),
    post("waves", "/moderation/waves", NOBODY, action="warn"),
    get("languages", "/moderation/languages", NOBODY),
    post("languages", "/moderation/languages", NOBODY, languages="de"),
    get("desk", "/moderation/desk", NOBODY),
    post("shift_note", "/moderation/desk/note", NOBODY, text="Back at six."),
    post("hand_over", "/moderation/desk/give", NOBODY, to="", note=""),
    post("save_list", "/moderation/desk/lists?queue=reports", NOBODY, name="All"),
    post("remove_list", "/moderation/desk/lists/remove", NOBODY, name="All"),
    get("case", CASE, NOBODY),
    post("note", f"{CASE}/note", NOBODY, text="Hm."),
    get("conduct", f"{CASE}/conduct", NOBODY),
    post("conduct", f"{CASE}/conduct", NOBODY, posts="of-nobody", action=""),
    get("ask_senior", f"{CASE}/senior", NOBODY),
    get("send_help", f"{CASE}/help", NOBODY),
    post("send_help", f"{CASE}/help", NOBODY, words="We are here."),
    post("tick_step", f"{CASE}/step?step=read", NOBODY, on="1"),
    post("reveal", f"{CASE}/reveal", NOBODY),
    post("export_case", f"{CASE}/export", NOBODY),
    get("assign", f"{CASE}/assign", NOBODY),
    post("assign", f"{CASE}/assign", NOBODY, moderator=""),
    get("decide", f"{CASE}/decide?action=warn", NOBODY),
    get("procedures", "/moderation/procedures", NOBODY),
    get("case_news", f"{CASE}/news?action=warn&version=1", NOBODY),
]
# The moderator comes first and looks at the case; what they decide, undo and answer is not there, or not as it was.
CONTESTED = [
    but(post("claim", f"{CASE}/claim", NOBODY, on="1"), moderator="y", admin="c"),
    but(
        post("decide", f"{CASE}/decide", NOBODY, action="warn", version="99"),
        moderator="c",
        admin="c",
    ),
    post("undo", f"{CASE}/undo", NOBODY, action_id="none"),
    # Photos that are there: tests/moderation/test_reported_photos.py
    post("look_at_photo", f"{CASE}/photo", NOBODY, photo="none"),
    get("photo_file", f"{CASE}/photo/file", NOBODY),
    but(post("answer_appeal", f"{CASE}/appeal", NOBODY, answer="refuse"), moderator="y", admin="y"),
    but(post("ask_senior", f"{CASE}/senior", NOBODY, text="Is it?"), moderator="y", admin="c"),
]

PEOPLE = [
    get("people", "/moderation/people", NOBODY),
    post("find_by_email", "/moderation/people/find", NOBODY, email="x@example.org"),
    post("find_by_domain", "/moderation/people/domain", NOBODY, domain="example.org"),
    get("person", "/moderation/people/{alice}", NOBODY),
    post("note_person", "/moderation/people/{alice}/note", NOBODY, text="Hm."),
    post("give_level", "/moderation/people/{alice}/level", NOBODY, level="regular"),
    post("begin_case", "/moderation/people/{alice}/case", NOBODY, rule="spam"),
]

# They take the permission of people too.
ORIGINS = [
    post("find_by_network", "/moderation/people/network", NOBODY, network="203.0.113.1"),
    post("other_accounts", "/moderation/people/{alice}/accounts", NOBODY),
]

SITE = [
    get("site", "/moderation/site", NOBODY),
    post("site", "/moderation/site", NOBODY, sign_up="closed"),
    get("ask_site", "/moderation/votes", NOBODY),
    post("ask_site", "/moderation/votes", NOBODY, question="?", answers="a\nb", length="1d"),
    get("site_rules", "/moderation/rules", NOBODY),
    post(
        "site_rules", "/moderation/rules", NOBODY, title="T", text="T", severity="1", language="en"
    ),
    get("site_rule", "/moderation/rules/spam", NOBODY),
    post("site_rule", "/moderation/rules/spam", NOBODY, title="T", text="T", severity="1"),
    post("remove_site_rule", "/moderation/rules/spam/remove", NOBODY),
    post("remove_rule_words", "/moderation/rules/spam/words/remove", NOBODY, language="en"),
    post("move_site_rule", "/moderation/rules/violence/move", NOBODY, to="up"),
    get("levels", "/moderation/levels", NOBODY),
    get("level", "/moderation/levels/new", NOBODY),
    post("level", "/moderation/levels/new", NOBODY, links="3"),
    get("words", "/moderation/words", NOBODY),
    post("words", "/moderation/words", NOBODY, kind="word", pattern="x", effect="flag"),
    post("try_word", "/moderation/words/try", NOBODY, kind="word", pattern="x", effect="flag"),
    post("remove_word", "/moderation/words/x/remove", NOBODY),
    get("help_lines", "/moderation/help", NOBODY),
    post("help_lines", "/moderation/help", NOBODY, lines="DE | Rat | 1", role=""),
    get("read_only", "/moderation/read-only", NOBODY),
    post("read_only", "/moderation/read-only", NOBODY, lasts="for ever"),
    post("end_read_only", "/moderation/read-only/end", NOBODY),
    get("pictures", "/moderation/pictures", NOBODY),
    post("pictures", "/moderation/pictures", NOBODY),
    post("export_pictures", "/moderation/pictures/export", NOBODY),
    post("unblock_picture", "/moderation/pictures/remove", NOBODY, value="0" * 64),
    post("procedures", "/moderation/procedures", NOBODY, country="FR"),
    get("procedure", "/moderation/procedures/FR", NOBODY),
    post("procedure", "/moderation/procedures/FR", NOBODY, text="Call the police."),
    get("topics", "/moderation/topics", NOBODY),
    post("topics", "/moderation/topics", NOBODY, tags="x"),
    post("show_topics", "/moderation/topics/show", NOBODY, on="1"),
    post("allow_topic", "/moderation/topics/allow", NOBODY, tag="x"),
    get("sign_up_blocks", "/moderation/blocks", NOBODY),
    post("block_domains", "/moderation/blocks/domains", NOBODY, domains="x.example"),
    post("unblock_domain", "/moderation/blocks/domains/remove", NOBODY, domain="x.example"),
    post("block_networks", "/moderation/blocks/networks", NOBODY, networks="203.0.113.1"),
    post("unblock_network", "/moderation/blocks/networks/remove", NOBODY, network="x"),
    get("figures", f"/moderation/figures/{THIS_YEAR}", NOBODY),
    post("figures", f"/moderation/figures/{THIS_YEAR}", NOBODY, staff="2"),
    get("presets", "/moderation/presets", NOBODY),
    post(
        "presets", "/moderation/presets", NOBODY, action="warn", title="T", text="T", language="en"
    ),
    post("remove_preset", "/moderation/presets/x/remove", NOBODY),
    post("remove_preset_words", "/moderation/presets/x/words/remove", NOBODY, language="en"),
]

INVITES = [
    get("invites", "/moderation/invites", NOBODY),
    post("invites", "/moderation/invites", NOBODY, uses="1", days="1"),
    post("end_invite", "/moderation/invites/x/end", NOBODY),
]

OVERSIGHT = [
    get("log", "/moderation/log", NOBODY),
    get("overview", "/moderation/overview", NOBODY),
    get("statistics", "/moderation/overview.csv", NOBODY),
]

ROLES = [
    get("roles", "/moderation/roles", NOBODY),
    post("give_role", "/moderation/roles/give", NOBODY, person="nobody_here", role="admin"),
    get("add_role", "/moderation/roles/add", NOBODY),
    post("add_role", "/moderation/roles/add", NOBODY, title="T", permissions="roles"),
    post("remove_role", "/moderation/roles/of/x/remove", NOBODY),
    get("juniors", "/moderation/juniors", NOBODY),
    post("juniors", "/moderation/juniors", NOBODY, wave="1", days="1", level="new"),
    get("holds", "/moderation/holds", NOBODY),
    post("holds", "/moderation/holds", NOBODY, what="x"),
    post("confirm_hold", "/moderation/holds/account/{alice}/confirm", NOBODY),
    post("renew_hold", "/moderation/holds/account/{alice}/renew", NOBODY),
    post("release_hold", "/moderation/holds/account/{alice}/release", NOBODY),
]

# Of a name that nobody gave: nothing to staff either.
NOT_THERE = [
    get("answer_junior", f"/moderation/cases/person/{'0' * 26}/answer", NOBODY),
    post("answer_junior", f"/moderation/cases/person/{'0' * 26}/answer", NOBODY, text="No."),
    post("end_site_vote", f"/moderation/votes/{'0' * 26}/end", NOBODY),
    get("wave", f"/moderation/waves/{'0' * 26}", NOBODY),
    post("wave", f"/moderation/waves/{'0' * 26}", NOBODY),
    post("start_wave", f"/moderation/waves/{'0' * 26}/start", NOBODY),
    post("undo_wave", f"/moderation/waves/{'0' * 26}/undo", NOBODY),
    get("wave_progress", f"/moderation/waves/{'0' * 26}/progress", NOBODY),
    post("look_at_hint", "/moderation/hints/2026-11-23-text-0/look", NOBODY),
    post("put_hint_away", "/moderation/hints/2026-11-23-text-0/put-away", NOBODY),
    # Of someone who is there it would end the sign-ins of the tests.
    post("secure_account", f"/moderation/people/{'0' * 26}/secure", NOBODY, press="0" * 26),
    post("take_role", "/moderation/roles/take", NOBODY, person="x"),
    post("role", "/moderation/roles/of/x", NOBODY, title="T", permissions="roles"),
    get("word", "/moderation/words/x", NOBODY),
    post("word", "/moderation/words/x", NOBODY, kind="word", pattern="x", effect="flag"),
    post("try_edited_word", "/moderation/words/x/try", NOBODY, kind="word", pattern="x"),
    post("preset", "/moderation/presets/x", NOBODY, action="warn", title="T", text="T"),
    get("preset", "/moderation/presets/x", NOBODY),
    get("role", "/moderation/roles/of/x", NOBODY),
]

COSTS = [
    get("costs", "/moderation/costs", NOBODY),
    get("download", "/moderation/costs/days.csv", NOBODY),
    post("count", "/moderation/costs/count", NOBODY),
]
WORKER = [get("worker", "/operations/worker", NOBODY)]
ALARMS = [get("alarms", "/operations/alarms", NOBODY)]  # each their own
LENS = [
    get("sights", "/dev/lens", NOBODY),
    post("open_lens", "/dev/lens/open", NOBODY, on="1"),
    get("table", "/dev/table", NOBODY),
    get("item_type", "/dev/table/types/Post", NOBODY),
    get("patterns", "/dev/patterns", NOBODY),
]
# For developers, who have debug mode.
DEV_ROWS = [
    get("sight", f"/dev/lens/{'0' * 26}", NOBODY),
    get("followed", f"/dev/lens/{'0' * 26}/followed", NOBODY),
    get("concepts", "/dev/concepts", NOBODY),
    get("concept", "/dev/concepts/ttl", NOBODY),
    get("model", "/dev/model", NOBODY),
    get("workbench", "/dev/workbench", NOBODY),
    post("workbench", "/dev/workbench", NOBODY),
    get("letters", "/dev/mail", NOBODY),
    get("show_letter", f"/dev/mail/{'0' * 26}", NOBODY),
    get("letter_html", f"/dev/mail/{'0' * 26}/html", NOBODY),
]
OF_NO_MESSAGES = post("look_at_messages", f"{CASE}/messages", NOBODY)  # the case is of a post
PUBLIC_LOG = get("public_log", "/about/log", NOBODY)  # unless the site wants it

STAFF_ROWS = [
    BEGIN,
    *(
        but(row, moderator="y", admin="y")
        for row in (*CASES, *PEOPLE, *OVERSIGHT, *INVITES, *ALARMS)
    ),
    *(but(row, admin="y") for row in (*ORIGINS, *SITE, *ROLES, *WORKER, *LENS, *COSTS)),
    *CONTESTED,
    *NOT_THERE,
    OF_NO_MESSAGES,
    PUBLIC_LOG,
]

# What people may do with drafts and scheduled posts: only with their own. Rows as in `authorisation.py`.

UNPUBLISHED_ROWS = [
    get("drafts", "/drafts", MEMBERS),
    post("drafts", "/drafts", MEMBERS, content="Hello", nonce="n" * 22),
    get("delete_draft", "/drafts/{post}/delete", "innnnnnnnn"),  # of nobody
    post("delete_draft", "/drafts/{post}/delete", MEMBERS, version="1"),  # changes nothing
    get("scheduled", "/scheduled", MEMBERS),
    get("delete_scheduled", "/scheduled/1803600000-{post}/delete", "innnnnnnnn"),  # of nobody
    post("delete_scheduled", "/scheduled/1803600000-{post}/delete", "innnnnnnnn", version="1"),
    post("publish_scheduled", "/scheduled/1803600000-{post}/publish", "innnnnnnnn"),
]
