"""Addresses of moderation."""

from django.urls import path

import moderation.cases.converters  # noqa: F401 - registers <case_kind:…>
from moderation.audit.views import log
from moderation.cases.views import (
    appeal,
    case,
    claim,
    decide,
    export,
    news,
    own_reports,
    photos,
    queue,
    report,
    strikes,
)
from moderation.hints.views import hints
from moderation.people.views import find, people, person
from moderation.rules.views import (
    invites,
    site_blocks,
    site_presets,
    site_rules,
    site_settings,
    slow_down,
    word_filters,
)
from moderation.staff.views import languages, overview, roles
from moderation.waves.views import wave, waves
from socialsite.web import converters  # noqa: F401 - registers <handle:…> and <id:…>

app_name = "moderation"

CASE = "moderation/cases/<case_kind:kind>/<id:subject_id>"
PERSON = "moderation/people/<id:user_id>"

urlpatterns = [
    # for everyone
    path("@<handle:handle>/report", report.report_person, name="report_person"),
    path("@<handle:handle>/posts/<id:post_id>/report", report.report_post, name="report_post"),
    path("settings/reports", own_reports.own_reports, name="own_reports"),
    path("standing", strikes.standing, name="standing"),
    path("standing/<id:action_id>", strikes.strike, name="strike"),
    # the moderators' queue and cases
    path("moderation", queue.begin, name="moderation"),
    path("moderation/queue", queue.queue, name="queue"),
    path("moderation/queue/selected", queue.in_bulk, name="in_bulk"),
    path(CASE, case.show, name="case"),
    path(f"{CASE}/note", case.note, name="note"),
    path(f"{CASE}/reveal", case.reveal, name="reveal"),
    path(f"{CASE}/photo", photos.look, name="look_at_photo"),
    path(f"{CASE}/photo/file", photos.file, name="photo_file"),
    path(f"{CASE}/undo", case.undo, name="undo"),
    path(f"{CASE}/claim", claim.claim, name="claim"),
    path(f"{CASE}/assign", claim.assign, name="assign"),
    path(f"{CASE}/decide", decide.decide, name="decide"),
    path(f"{CASE}/news", news.news, name="case_news"),
    path(f"{CASE}/export", export.export, name="export_case"),
    path(f"{CASE}/appeal", appeal.answer, name="answer_appeal"),
    # one decision about many cases
    path("moderation/waves", waves.waves, name="waves"),
    path("moderation/waves/<id:wave_id>", wave.wave, name="wave"),
    path("moderation/waves/<id:wave_id>/start", wave.start, name="start_wave"),
    path("moderation/waves/<id:wave_id>/undo", wave.undo, name="undo_wave"),
    path("moderation/waves/<id:wave_id>/progress", wave.progress, name="wave_progress"),
    path("moderation/hints/<slug:hint_id>/look", hints.look, name="look_at_hint"),
    path("moderation/hints/<slug:hint_id>/put-away", hints.put_away, name="put_hint_away"),
    # everyone
    path("moderation/people", people.people, name="people"),
    path("moderation/people/find", find.find_by_email, name="find_by_email"),
    path("moderation/people/domain", find.find_by_domain, name="find_by_domain"),
    path("moderation/people/network", find.find_by_network, name="find_by_network"),
    path(PERSON, person.person, name="person"),
    path(f"{PERSON}/note", person.note, name="note_person"),
    path(f"{PERSON}/case", person.begin_case, name="begin_case"),
    path(f"{PERSON}/accounts", person.other_accounts, name="other_accounts"),
    # the audit log and the overview
    path("moderation/log", log.log, name="log"),
    path("about/log", log.public_log, name="public_log"),
    path("moderation/overview", overview.overview, name="overview"),
    # staff and their roles
    path("moderation/languages", languages.languages, name="languages"),
    path("moderation/roles", roles.roles, name="roles"),
    path("moderation/roles/give", roles.give, name="give_role"),
    path("moderation/roles/take", roles.take, name="take_role"),
    path("moderation/roles/add", roles.add, name="add_role"),
    path("moderation/roles/of/<slug:name>", roles.role, name="role"),
    path("moderation/roles/of/<slug:name>/remove", roles.remove, name="remove_role"),
    # the site's set-up
    path("moderation/site", site_settings.site, name="site"),
    path("moderation/slow-down", slow_down.slow_down, name="slow_down"),
    path("moderation/rules", site_rules.rules, name="site_rules"),
    path("moderation/rules/<slug:rule_id>", site_rules.rule, name="site_rule"),
    path("moderation/rules/<slug:rule_id>/remove", site_rules.remove, name="remove_site_rule"),
    path(
        "moderation/rules/<slug:rule_id>/words/remove",
        site_rules.remove_words,
        name="remove_rule_words",
    ),
    path("moderation/rules/<slug:rule_id>/move", site_rules.move, name="move_site_rule"),
    path("moderation/words", word_filters.words, name="words"),
    path("moderation/words/try", word_filters.try_out, name="try_word"),
    path("moderation/words/<slug:rule_id>", word_filters.word, name="word"),
    path("moderation/words/<slug:rule_id>/try", word_filters.try_edited, name="try_edited_word"),
    path("moderation/words/<slug:rule_id>/remove", word_filters.remove, name="remove_word"),
    path("moderation/blocks", site_blocks.blocks, name="sign_up_blocks"),
    path("moderation/blocks/domains", site_blocks.block_domains, name="block_domains"),
    path("moderation/blocks/domains/remove", site_blocks.unblock_domain, name="unblock_domain"),
    path("moderation/blocks/networks", site_blocks.block_networks, name="block_networks"),
    path("moderation/blocks/networks/remove", site_blocks.unblock_network, name="unblock_network"),
    path("moderation/presets", site_presets.presets, name="presets"),
    path("moderation/presets/<slug:preset_id>", site_presets.preset, name="preset"),
    path("moderation/presets/<slug:preset_id>/remove", site_presets.remove, name="remove_preset"),
    path(
        "moderation/presets/<slug:preset_id>/words/remove",
        site_presets.remove_words,
        name="remove_preset_words",
    ),
    path("moderation/invites", invites.invites, name="invites"),
    path("moderation/invites/<slug:code>/end", invites.end, name="end_invite"),
]
