"""Bugs of cases, reports, decisions and appeals."""

from tests.faults.seeded import bug

REPORT = "tests/moderation/test_reporting.py"
CLAIM = "tests/moderation/test_desks.py"
REFUSED = "tests/moderation/test_deciding.py"
AT_ONCE = "tests/moderation/test_deciding.py"
DECIDE = "tests/moderation/test_deciding.py"
UNDO = "tests/moderation/test_deciding.py"
APPEAL = "tests/moderation/test_appeals.py"
RESET = "tests/moderation/test_reset_profile.py"
COPY = "tests/moderation/test_evidence.py"

MODERATION = [
    bug(
        "what a reported reply answers is shown though its thread is for some",
        "moderation/cases/evidence_cards.py",
        ("is_private=is_private, revealed", "is_private=False, revealed"),
        tests="tests/moderation/test_cases.py",
        only="for_some_by_now",
    ),
    bug(
        "a case is decided whatever its version",
        "moderation/cases/changes.py",
        (
            "    condition = Case.version == int(case.version)\n",
            "    condition = Case.pk.exists()\n",
        ),
        tests=AT_ONCE,
        only="two_who_decide",
    ),
    bug(
        "a case is decided that has changed since it was shown",
        "moderation/cases/decisions.py",
        (
            "        if int(case.version) != version:\n"
            '            raise CaseMoved("the case changed since it was shown")\n',
            "",
        ),
        tests=REFUSED,
        only="not_seen",
    ),
    bug(
        "everybody may look at a case at once",
        "moderation/cases/writes.py",
        ("Case.escalated_to.exists() & is_free_for(by.user_id)", "Case.escalated_to.exists()"),
        tests=CLAIM,
    ),
    bug(
        "a case is decided while another looks at it",
        "moderation/cases/changes.py",
        ("        condition &= is_free_for(by)\n", "        pass\n"),
        tests=REFUSED,
        only="another_looks",
    ),
    bug(
        "every report counts",
        "moderation/reports/writes.py",
        ("reports=0 if before else 1", "reports=1"),
        tests=REPORT,
        only="counts_no_second_time",
    ),
    bug(
        "a report has no trace",
        "moderation/reports/writes.py",
        ("        *_trace(filing, round_number, now),\n", ""),
        tests=REPORT,
        only="trace",
    ),
    bug(
        "a closed case stays in the index",
        "moderation/cases/changes.py",
        (
            "        Case.escalated_to.remove(),\n        Case.escalated_at.remove(),\n",
            "",
        ),
        tests=DECIDE,
        only="does_what_it_says and warn",
    ),
    bug(
        "a case on a desk goes back to its queue when more report",
        "moderation/cases/changes.py",
        (
            "    if case.assigned_to and not appealed:\n        partition =",
            "    if False:\n        partition =",
        ),
        tests=CLAIM,
        only="stays_there",
    ),
    bug(
        "an action that was undone before cannot be undone again without an error",
        "moderation/cases/effects.py",
        ("        if action.undone_at:\n            return\n", ""),
        ("    with suppress(AlreadyUndone):\n", "    with suppress(KeyError):\n"),
        tests=UNDO,
        only="leaves_all_as_it_was",
    ),
    bug(
        "a hidden post is counted",
        "moderation/cases/effects.py",
        ("[*turned, *count.writes()]", "turned"),
        tests=DECIDE,
        only="counted_once_less",
    ),
    bug(
        "undoing one restriction ends the others",
        "moderation/cases/effects.py",
        ("until=before, waits", 'until="", waits'),
        tests=UNDO,
        only="earlier_restriction",
    ),
    bug(
        "an answered appeal closes a case with another one open",
        "moderation/cases/rounds.py",
        ("    if others:\n", "    if False:\n"),
        tests=APPEAL,
        only="two_appeals",
    ),
    bug(
        "the log does not say who looked at a photo",
        "moderation/case_pages/views.py",
        (
            "    look_at_photo(\n"
            "        by=request.user,\n"
            "        case_id=case_id,\n"
            "        post_id=photo.post_id,\n"
            "        photo_id=photo.photo_id,\n"
            "        of_message=bool(photo.message_id),\n"
            "    )\n",
            "",
        ),
        tests="tests/moderation/test_reported_photos.py",
        only="for_this_once",
    ),
    bug(
        "the address of a copy works for other moderators too",
        "moderation/case_pages/views.py",
        ("    if not may_open(", "    if False and not may_open("),
        tests="tests/moderation/test_reported_photos.py",
        only="nobody_else",
    ),
    bug(
        "a second report gives a photo another copy",
        "moderation/cases/photos.py",
        ("name.set(name | value)", "name.set(value)"),
        tests=COPY,
        only="second_report",
    ),
    bug(
        "the copy of a killed try is not found again",
        "photos/files.py",
        (
            "        return len(read_copy(person_id, name))\n",
            "        raise\n",
        ),
        tests=COPY,
        only="killed",
    ),
    bug(
        "a reset picture stays where everyone sees it",
        "moderation/cases/photos.py",
        ("            default_storage.delete(path)\n", "            pass\n"),
        tests=RESET,
        only="deletes_the_public_files",
    ),
    bug(
        "undoing a reset overwrites what the person has said since",
        "moderation/cases/evidence.py",
        ("part not in wanted or getattr(info, part) != reset", "part not in wanted"),
        tests=RESET,
        only="changed_since or new_picture",
    ),
    bug(
        "the copy for a case that ended stays",
        "moderation/cases/photos.py",
        ("perhaps before the file was there\n        forget_copy(photo)\n", "\n        pass\n"),
        tests=COPY,
        only="ends_meanwhile",
    ),
]
