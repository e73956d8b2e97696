"""Addresses of moderation."""

from django.urls import path

import moderation.cases.reads  # noqa: F401 - registers <case_kind:…>
from moderation.audit_log import views as audit_log
from moderation.bulk_decisions import views as waves
from moderation.case_pages import conduct_views as conduct
from moderation.case_pages import danger_views as in_danger
from moderation.case_pages import decide_views as decide
from moderation.case_pages import senior_views as seniors
from moderation.case_pages import views as cases
from moderation.danger import views as danger
from moderation.desks import views as desks
from moderation.figures import views as figures
from moderation.levels import views as levels
from moderation.maintenance import views as maintenance
from moderation.people import views as people
from moderation.pictures import views as pictures
from moderation.reporters import views as reporters
from moderation.reports import message_views as messages
from moderation.reports import views as reports
from moderation.rules import filter_views as filters
from moderation.rules import views as site
from moderation.securing import views as securing
from moderation.seniors import views as juniors
from moderation.staff import views as staff
from moderation.topics import views as topics
from socialsite.web import converters  # noqa: F401 - registers <handle:…> and <id:…>

app_name = "moderation"

CASE = "moderation/cases/<case_kind:kind>/<id:subject_id>"
PERSON = "moderation/people/<id:user_id>"

urlpatterns = [
    # for everyone
    path("@<handle:handle>/report", reports.report_person, name="report_person"),
    path("@<handle:handle>/posts/<id:post_id>/report", reports.report_post, name="report_post"),
    path("@<handle:handle>/packs/<id:list_id>/report", reports.report_pack, name="report_pack"),
    path("messages/@<handle:handle>/report", messages.report_pair, name="report_messages"),
    path("messages/groups/<id:group>/report", messages.report_group, name="report_group"),
    path("settings/reports", reports.own_reports, name="own_reports"),
    path("help/now", danger.help_now, name="help_now"),
    path("secured", securing.own, name="secured"),
    path("standing", reports.standing, name="standing"),
    path("standing/<id:action_id>", reports.strike, name="strike"),
    # the moderators' queue and cases
    path("moderation", cases.begin_queue, name="moderation"),
    path("moderation/queue", cases.queue, name="queue"),
    path("moderation/queue/selected", cases.in_bulk, name="in_bulk"),
    path(CASE, cases.case_page, name="case"),
    path(f"{CASE}/note", cases.note, name="note"),
    path(f"{CASE}/reveal", cases.reveal, name="reveal"),
    path(f"{CASE}/messages", cases.show_messages, name="look_at_messages"),
    path(f"{CASE}/photo", cases.show_photo, name="look_at_photo"),
    path(f"{CASE}/photo/file", cases.photo_file, name="photo_file"),
    path(f"{CASE}/undo", cases.undo, name="undo"),
    path(f"{CASE}/claim", cases.claim, name="claim"),
    path(f"{CASE}/assign", cases.assign, name="assign"),
    path(f"{CASE}/decide", decide.decide, name="decide"),
    path(f"{CASE}/conduct", conduct.conduct, name="conduct"),
    path(f"{CASE}/help", in_danger.help_person, name="send_help"),
    path(f"{CASE}/senior", seniors.ask, name="ask_senior"),
    path(f"{CASE}/answer", seniors.answer, name="answer_junior"),
    path(f"{CASE}/step", in_danger.tick, name="tick_step"),
    path(f"{CASE}/news", decide.news, name="case_news"),
    path(f"{CASE}/export", cases.export, name="export_case"),
    path(f"{CASE}/appeal", cases.answer_an_appeal, name="answer_appeal"),
    # the viewer's own desk
    path("moderation/desk", desks.desk, name="desk"),
    path("moderation/desk/note", desks.note, name="shift_note"),
    path("moderation/desk/give", desks.give, name="hand_over"),
    path("moderation/desk/lists", desks.save, name="save_list"),
    path("moderation/desk/lists/remove", desks.remove, name="remove_list"),
    # one decision about many cases
    path("moderation/waves", waves.waves, name="waves"),
    path("moderation/waves/<id:wave_id>", waves.wave, name="wave"),
    path("moderation/waves/<id:wave_id>/start", waves.start, name="start_wave"),
    path("moderation/waves/<id:wave_id>/undo", waves.undo, name="undo_wave"),
    path("moderation/waves/<id:wave_id>/progress", waves.progress, name="wave_progress"),
    path("moderation/hints/<slug:hint_id>/look", waves.look_at_hint, name="look_at_hint"),
    path("moderation/hints/<slug:hint_id>/put-away", waves.dismiss_hint, name="put_hint_away"),
    # everyone
    path("moderation/people", people.people, name="people"),
    path("moderation/people/find", people.find_by_email, name="find_by_email"),
    path("moderation/people/domain", people.find_by_domain, name="find_by_domain"),
    path("moderation/people/network", people.find_by_network, name="find_by_network"),
    path(PERSON, people.person, name="person"),
    path(f"{PERSON}/note", people.note, name="note_person"),
    path(f"{PERSON}/case", people.begin_case, name="begin_case"),
    path(f"{PERSON}/reports", reporters.reporter, name="reporter"),
    path(f"{PERSON}/reports/unmute", reporters.unmute, name="unmute_reporter"),
    path(f"{PERSON}/secure", securing.secure, name="secure_account"),
    path(f"{PERSON}/secure/undo", securing.undo, name="undo_securing"),
    path(f"{PERSON}/level", people.choose_level, name="give_level"),
    path(f"{PERSON}/accounts", people.other_accounts, name="other_accounts"),
    # the audit log and the overview
    path("moderation/log", audit_log.log, name="log"),
    path("about/log", audit_log.public_log, name="public_log"),
    path("moderation/overview", staff.overview, name="overview"),
    path("moderation/overview.csv", figures.statistics, name="statistics"),
    # the yearly figures
    path("transparency", figures.transparency, name="transparency"),
    path("transparency/<int:year>", figures.transparency, name="transparency_of_year"),
    path("transparency/<int:year>.csv", figures.download, name="transparency_csv"),
    path("moderation/figures/<int:year>", figures.figures, name="figures"),
    # staff and their roles
    path("moderation/languages", staff.languages, name="languages"),
    path("moderation/roles", staff.roles, name="roles"),
    path("moderation/roles/give", staff.give_role, name="give_role"),
    path("moderation/roles/take", staff.take_role, name="take_role"),
    path("moderation/roles/add", staff.add_role, name="add_role"),
    path("moderation/juniors", juniors.juniors, name="juniors"),
    path("moderation/roles/of/<slug:name>", staff.role, name="role"),
    path("moderation/roles/of/<slug:name>/remove", staff.remove_role, name="remove_role"),
    # the site's set-up
    path("moderation/site", site.site, name="site"),
    path("moderation/slow-down", site.slow_down, name="slow_down"),
    path("moderation/rules", site.rules, name="site_rules"),
    path("moderation/rules/<slug:rule_id>", site.rule, name="site_rule"),
    path("moderation/rules/<slug:rule_id>/remove", site.remove_rule, name="remove_site_rule"),
    path(
        "moderation/rules/<slug:rule_id>/words/remove",
        site.remove_rule_words,
        name="remove_rule_words",
    ),
    path("moderation/rules/<slug:rule_id>/move", site.move_rule, name="move_site_rule"),
    path("moderation/help", danger.help_lines, name="help_lines"),
    path("moderation/pictures", pictures.pictures, name="pictures"),
    path("moderation/pictures/export", pictures.export, name="export_pictures"),
    path("moderation/pictures/remove", pictures.take_off, name="unblock_picture"),
    path("moderation/procedures", pictures.procedures, name="procedures"),
    path("moderation/procedures/<str:country>", pictures.procedure, name="procedure"),
    path("moderation/levels", levels.levels, name="levels"),
    path("moderation/levels/<slug:name>", levels.level, name="level"),
    path("moderation/words", filters.words, name="words"),
    path("moderation/words/try", filters.try_out, name="try_word"),
    path("moderation/words/<slug:rule_id>", filters.word, name="word"),
    path("moderation/words/<slug:rule_id>/try", filters.try_edited, name="try_edited_word"),
    path("moderation/words/<slug:rule_id>/remove", filters.remove_word, name="remove_word"),
    path("moderation/read-only", maintenance.read_only, name="read_only"),
    path("moderation/read-only/end", maintenance.end, name="end_read_only"),
    path("moderation/topics", topics.topics, name="topics"),
    path("moderation/topics/show", topics.show, name="show_topics"),
    path("moderation/topics/allow", topics.allow, name="allow_topic"),
    path("moderation/blocks", filters.blocks, name="sign_up_blocks"),
    path("moderation/blocks/domains", filters.block_domains, name="block_domains"),
    path("moderation/blocks/domains/remove", filters.unblock_domain, name="unblock_domain"),
    path("moderation/blocks/networks", filters.block_networks, name="block_networks"),
    path("moderation/blocks/networks/remove", filters.unblock_network, name="unblock_network"),
    path("moderation/presets", site.presets, name="presets"),
    path("moderation/presets/<slug:preset_id>", site.preset, name="preset"),
    path("moderation/presets/<slug:preset_id>/remove", site.remove_preset, name="remove_preset"),
    path(
        "moderation/presets/<slug:preset_id>/words/remove",
        site.remove_preset_words,
        name="remove_preset_words",
    ),
    path("moderation/invites", filters.invites, name="invites"),
    path("moderation/invites/<slug:code>/end", filters.end_invite, name="end_invite"),
]
