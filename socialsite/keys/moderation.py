"""Keys of moderation: cases, waves, the log, how the site is set up, and the lists that staff read."""

import zlib

from socialsite.keys.key import Key, bounds


def case_partition(kind: str, subject_id: str) -> str:
    return f"case#{kind}#{subject_id}"


def case(kind: str, subject_id: str) -> Key:
    return Key(case_partition(kind, subject_id), "case")


def case_report(kind: str, subject_id: str, reporter_id: str) -> Key:
    return Key(case_partition(kind, subject_id), f"report#u#{reporter_id}")


def case_evidence(kind: str, subject_id: str, post_id: str, version: str) -> Key:
    return Key(case_partition(kind, subject_id), f"evidence#p#{post_id}#{version}")


def case_profile(kind: str, subject_id: str, version: str) -> Key:
    return Key(case_partition(kind, subject_id), f"evidence#info#{version}")


def case_pack(kind: str, subject_id: str, list_id: str, version: str) -> Key:
    return Key(case_partition(kind, subject_id), f"evidence#l#{list_id}#{version}")


def case_said(kind: str, subject_id: str, conversation: str, message_id: str) -> Key:
    """Returns the key of a reported private message: those of one conversation stand together, the oldest first."""
    return Key(case_partition(kind, subject_id), f"said#{conversation}#m#{message_id}")


def case_photo(kind: str, subject_id: str, photo_id: str, version: str) -> Key:
    return Key(case_partition(kind, subject_id), f"photo#ph#{photo_id}#{version}")


def case_note(kind: str, subject_id: str, note_id: str) -> Key:
    return Key(case_partition(kind, subject_id), f"note#{note_id}")


def case_message(kind: str, subject_id: str, message_id: str) -> Key:
    return Key(case_partition(kind, subject_id), f"message#{message_id}")


def case_action(kind: str, subject_id: str, action_id: str) -> Key:
    return Key(case_partition(kind, subject_id), f"action#{action_id}")


def case_outcome(kind: str, subject_id: str, round_number: int) -> Key:
    return Key(case_partition(kind, subject_id), f"outcome#{round_number:04}")


def case_bounds() -> tuple[str, str]:
    """Returns the bounds of all sort keys of a case except its reports and what was said in private."""
    return "action#", "photo$"


def report_bounds() -> tuple[str, str]:
    return bounds("report#")


def action_bounds() -> tuple[str, str]:
    return bounds("action#")


def said_bounds() -> tuple[str, str]:
    return bounds("said#")


def message_bounds() -> tuple[str, str]:
    return bounds("message#")


def queue(name: str) -> str:
    """The partition of `escalatedIndex` that holds the open cases of a queue."""
    return f"queue#{name}"


def quiet_queue() -> str:
    """The partition of `escalatedIndex` that holds the cases to which only muted reporters reported. No page lists
    it."""
    return queue("quiet")


def desk(moderator_id: str) -> str:
    """The `escalatedIndex` partition of the open cases assigned to a moderator."""
    return f"desk#u#{moderator_id}"


def waiting() -> str:
    """The partition of the counts of what waits."""
    return "waiting"


def waiting_count(partition: str) -> Key:
    """Returns the key of the count of a partition of `escalatedIndex`."""
    return Key(waiting(), partition)


def queue_place(severity: int, crowd: int, opened_at: str, kind: str, subject_id: str) -> str:
    """Returns a sort key of `escalatedIndex`: the most urgent first, then what most people report or could see (`crowd`
    0 to 5, the lowest for the most), then the oldest."""
    return f"{severity}#{crowd}#{opened_at}#{kind}#{subject_id}"


def earlier_queue_place(severity: int, opened_at: str, kind: str, subject_id: str) -> str:
    """Returns the place that earlier versions gave a case. It sorts among the others of its severity."""
    return f"{severity}#{opened_at}#{kind}#{subject_id}"


def queue_stretches() -> list[tuple[str, str]]:
    """Returns the bounds of all stretches of a queue within which places sort by time alone."""
    by_crowd = [bounds(f"{severity}#{crowd}#") for severity in (1, 2, 3) for crowd in range(6)]
    return [*by_crowd, *(bounds(f"{severity}#20") for severity in (1, 2, 3))]


def queue_bounds(severity: int = 0) -> tuple[str, str]:
    """Returns the bounds of the places of a severity's cases in a queue, 0 for all."""
    return bounds(f"{severity}#") if severity else ("1", bounds("9")[1])


def closed_cases(month: str) -> str:
    return f"closed#{month}"


def closed_since(moment: str) -> tuple[str, str]:
    """Returns the bounds of a month's cases that were closed at this moment or later."""
    return moment, bounds("9")[1]


def closed_case(month: str, closed_at: str, kind: str, subject_id: str) -> Key:
    return Key(closed_cases(month), f"{closed_at}#{kind}#{subject_id}")


def strikes(user_id: str) -> str:
    return f"u#{user_id}#strike"


def strikes_since(action_id: str) -> tuple[str, str]:
    """Returns the bounds of the strikes from this id on."""
    return f"a#{action_id}", bounds("a#")[1]


def strike(user_id: str, action_id: str) -> Key:
    return Key(strikes(user_id), f"a#{action_id}")


def help_offers(user_id: str) -> str:
    return f"u#{user_id}#help"


def help_offer(user_id: str, offer_id: str) -> Key:
    return Key(help_offers(user_id), f"h#{offer_id}")


def all_secured(user_id: str) -> str:
    return f"u#{user_id}#secured"


def secured(user_id: str, secured_id: str) -> Key:
    return Key(all_secured(user_id), f"s#{secured_id}")


def reporter_records(user_id: str) -> str:
    return f"u#{user_id}#reporter"


def reporter_record(user_id: str) -> Key:
    return Key(reporter_records(user_id), "record")


def report_traces(user_id: str) -> str:
    return f"u#{user_id}#report"


def report_trace(user_id: str, kind: str, subject_id: str) -> Key:
    return Key(report_traces(user_id), f"case#{kind}#{subject_id}")


def holds() -> str:
    return "holds"


def hold(kind: str, subject_id: str) -> Key:
    """Returns the key of what must be kept by law: a case of this kind, or an account."""
    return Key(holds(), f"{kind}#{subject_id}")


def site() -> str:
    """Returns the small partition of the site's set-up, which is read whole."""
    return "site"


def site_settings() -> Key:
    return Key(site(), "settings")


def site_maintenance() -> Key:
    return Key(site(), "maintenance")


def site_rule(rule_id: str) -> Key:
    return Key(site(), f"rule#{rule_id}")


def site_level(level: str) -> Key:
    return Key(site(), f"level#{level}")


def site_vote_notice(vote_id: str) -> Key:
    return Key(site(), f"vote#{vote_id}")


def site_votes() -> str:
    return "sitevotes"


def site_vote(vote_id: str) -> Key:
    return Key(site_votes(), vote_id)


SITE_VOTE_SHARDS = 64


def site_vote_count(vote_id: str, shard: int) -> Key:
    """Returns the key of one of the counters of a site vote, each in a partition of its own. A vote adds to any of
    them, drawn by chance."""
    return Key(f"sitevote#{vote_id}#{shard}", "count")


def word_rule(rule_id: str) -> Key:
    return Key(site(), f"word#{rule_id}")


# Counts of days, years and word filters. What very many may bring at once is counted in parts, each in a partition of
# its own, because one item takes few transactions a second, and one partition 500. Readers add the parts up.

COUNT_PARTS = 16


def _of_part(partition: str, part: int | None) -> str:
    return partition if part is None else f"{partition}#{part}"


def parts_of(partition: str) -> list[str]:
    """Returns every partition that can hold the counts of this one: itself and its parts."""
    return [partition, *(_of_part(partition, part) for part in range(COUNT_PARTS))]


def word_hits(rule_id: str) -> str:
    return f"hits#{rule_id}"


def word_hits_of_day(rule_id: str, day: str, part: int | None = None) -> Key:
    return Key(_of_part(word_hits(rule_id), part), day)


def email_domain_block(domain: str) -> Key:
    return Key(site(), f"domain#{domain}")


def refused_topic(tag: str) -> Key:
    return Key(site(), f"topic#{tag}")


def address_block(network: str) -> Key:
    return Key(site(), f"range#{network}")


def text_preset(preset_id: str) -> Key:
    return Key(site(), f"preset#{preset_id}")


def site_text(kind: str, subject_id: str, language: str) -> Key:
    """The words of a rule, a template or, without an id, the banner."""
    return Key(site(), f"text#{kind}#{subject_id}#{language}")


def site_help() -> Key:
    return Key(site(), "help")


def invites() -> str:
    return "site#invite"


def invite(code: str) -> Key:
    return Key(invites(), f"i#{code}")


def day_counts(month: str) -> str:
    return f"day#{month}"


def day_count(day: str, name: str, part: int | None = None) -> Key:
    """Returns the key of a count for one day (`2026-11-21`), or of one of its parts."""
    return Key(_of_part(day_counts(day[:7]), part), f"{day}#{name}")


def year_counts(year: str) -> str:
    return f"figures#{year}"


def year_count(year: str, name: str, part: int | None = None) -> Key:
    return Key(_of_part(year_counts(year), part), name)


def audit_head() -> Key:
    return Key("audit", "head")


def audit_entries(month: str) -> str:
    return f"audit#{month}"


def audit_entry(month: str, number: int) -> Key:
    return Key(audit_entries(month), f"a#{number:012}")


PEOPLE_SHARDS = 4  # of each list of people, so that no sign-ups wait for each other


def new_people(month: str, shard: int) -> str:
    """Returns the partition of one shard of the people who signed up in a month (`2026-11`)."""
    return f"people#{month}#{shard}"


def new_people_since(user_id: str) -> tuple[str, str]:
    """Returns the bounds of the people of a month who signed up when this id was made, or later."""
    return f"u#{user_id}", bounds("u#")[1]


def new_person(month: str, user_id: str) -> Key:
    return Key(new_people(month, _shard(user_id)), f"u#{user_id}")


def restricted_people(shard: int) -> str:
    return f"restricted#{shard}"


def restricted_person(user_id: str, until: str) -> Key:
    """Returns the key of a restricted person. They sort by the moment at which the restriction ends."""
    return Key(restricted_people(_shard(user_id)), f"{until}#u#{user_id}")


def person_notes(user_id: str) -> str:
    return f"u#{user_id}#note"


def person_note(user_id: str, note_id: str) -> Key:
    return Key(person_notes(user_id), f"n#{note_id}")


def _shard(user_id: str) -> int:
    return zlib.crc32(user_id.encode()) % PEOPLE_SHARDS


def waves() -> str:
    return "waves"


def wave(wave_id: str) -> Key:
    return Key(waves(), wave_id)


def wave_targets(wave_id: str) -> str:
    return f"wave#{wave_id}"


def wave_target(wave_id: str, kind: str, subject_id: str) -> Key:
    return Key(wave_targets(wave_id), f"t#{kind}#{subject_id}")


def hints() -> str:
    return "hints"


def hint(hint_id: str) -> Key:
    """Returns the key of a hint. Its id begins with the day or the hour that it is about, so the newest come last."""
    return Key(hints(), hint_id)


def same_posts(hint_id: str) -> str:
    """Returns the partition of what is posted alike, one item for each author, whether or not it is a hint yet."""
    return f"same#{hint_id}"


def same_post(hint_id: str, author_id: str) -> Key:
    return Key(same_posts(hint_id), f"u#{author_id}")


BLOCKED_SHARDS = 16  # of the list of blocked pictures, so that no import fills one partition


def blocked_pictures(shard: int) -> str:
    return f"pictures#{shard}"


def blocked_picture(kind: str, value: str) -> Key:
    """Returns the key of a hash on the list of blocked pictures."""
    return Key(blocked_pictures(zlib.crc32(value.encode()) % BLOCKED_SHARDS), f"{kind}#{value}")


def blocked_band(number: int, part: str) -> Key:
    """Returns the key of one of the 16 bands of perceptual hashes that have this part."""
    return Key(f"picture#{number}#{part}", "band")


def procedures() -> str:
    return "site#procedure"


def procedure(country: str) -> Key:
    """Returns the key of what staff of a country do about an illegal picture, `-` for every other country."""
    return Key(procedures(), country)
