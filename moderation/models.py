"""Items of moderation, shape and keys only: the log, counts, cases and their parts, notes, waves and hints.

A case is about one person (reports of them and of their posts), one held post, or one sign-up. All its items are in
one partition, so a case page takes two Queries. Only an open case has `escalated_to` and `escalated_at`.
"""

from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import (
    BooleanAttribute,
    JSONAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from moderation.items.models import (
    ReporterRecord as ReporterRecord,
)
from moderation.items.models import (
    Secured as Secured,
)
from moderation.items.models import (
    Wave as Wave,
)
from moderation.items.models import (
    WaveTarget as WaveTarget,
)
from moderation.kinds import (
    WITHOUT_APPEAL as WITHOUT_APPEAL,
)
from moderation.kinds import (
    WITHOUT_EFFECT as WITHOUT_EFFECT,
)
from moderation.kinds import (
    ActionKind as ActionKind,
)
from moderation.kinds import (
    Appeal as Appeal,
)
from moderation.kinds import (
    CaseKind as CaseKind,
)
from moderation.kinds import (
    HintKind as HintKind,
)
from moderation.kinds import (
    Keeping as Keeping,
)
from moderation.kinds import (
    Queue as Queue,
)
from moderation.kinds import (
    WaveState as WaveState,
)
from socialsite.table import Item, keys


class AuditHead(Item, discriminator="AuditHead"):
    """The end of the audit log: its last number and hash, and the months of its first and last entry."""

    number = NumberAttribute(default=0)
    hash = UnicodeAttribute(default="")
    first_month = UnicodeAttribute(null=True)
    month = UnicodeAttribute(null=True)


class AuditEntry(Item, discriminator="AuditEntry"):
    """One thing that a member of staff did. `hash` covers all of it and the hash before, `previous`."""

    page = "/moderation/log"

    number = NumberAttribute()
    at = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    action = UnicodeAttribute()
    case = UnicodeAttribute(null=True)
    person_id = UnicodeAttribute(null=True)
    detail = JSONAttribute(null=True)
    previous = UnicodeAttribute(default="")
    hash = UnicodeAttribute()

    @classmethod
    def new(cls, *, month: str, number: int, **attributes: Any) -> Self:
        return cls(*keys.audit_entry(month, number), number=number, **attributes)


class DayCount(Item, discriminator="DayCount"):
    """How often something happened on one day. Only the stream worker counts it. Created at 0 with the first event.
    Those of a word filter say how many posts met it, bear its id as their name, and expire. Those of a year
    (`figures/`) have the year as their day; of some, staff enter the number. What very many may bring at once is
    counted in parts, which are added up."""

    day = UnicodeAttribute()
    name = UnicodeAttribute()
    times = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, day: str, name: str, part: int | None = None) -> Self:
        return cls(*keys.day_count(day, name, part), day=day, name=name)

    @classmethod
    def of_year(cls, *, year: str, name: str, times: int = 0, part: int | None = None) -> Self:
        return cls(*keys.year_count(year, name, part), day=year, name=name, times=times)

    @classmethod
    def of_word(cls, *, rule_id: str, day: str, ttl: datetime, part: int | None = None) -> Self:
        key = keys.word_hits_of_day(rule_id, day, part)
        return cls(*key, day=day, name=rule_id, ttl=ttl)


class Case(Item, discriminator="Case"):
    """One case. `version` rises with every change that matters for the decision, so that nobody decides a case they
    have not seen. `round` rises each time a closed case opens again. `claimed_by` reviews it until `claimed_until`.

    `reports`, `rules`, `named` and `languages` belong to this round: how many people reported, the rules they named,
    how many named each (by its severity and id, `cases/changes.py`), and the languages of reporters and posts.
    `appealed` is the action that an open appeal is about, and `appeals` how many wait. `assigned_to` is the moderator
    it is assigned to, if any. `acted` is the kind of the last action of this round that left the case open and was not
    undone. `holds_messages` says that private messages are among the evidence, `steps_done` what was done for someone
    in danger. `flagged_round` is the last one in which the site itself reported, for a word filter. `line` is one line
    of what was reported, if everyone could read it. `reach` is how many could have seen it (`cases/pressing.py`), and
    `raised` the note with which a junior asked a senior. Until `held_until` a legal hold keeps it, and `ends_before` is
    the `ttl` that it would have without. `quiet` says that muted reporters alone reported, so that no queue lists it.
    `refused_pictures` is how often the person tried to upload a blocked picture in this round.
    """

    page = "/moderation/cases/{kind}/{subject_id}"

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    queue = UnicodeAttribute()
    severity = NumberAttribute()
    opened_at = UnicodeAttribute()
    version = NumberAttribute(default=1)
    round = NumberAttribute(default=1)
    reports = NumberAttribute(default=0)
    rules = UnicodeSetAttribute(null=True)
    named = MapAttribute[str, int](null=True)
    languages = UnicodeSetAttribute(null=True)
    claimed_by = UnicodeAttribute(null=True)
    claimed_until = UnicodeAttribute(null=True)
    assigned_to = UnicodeAttribute(null=True)
    appealed = UnicodeAttribute(null=True)
    appeals = NumberAttribute(null=True)
    closed_at = UnicodeAttribute(null=True)
    decision = UnicodeAttribute(null=True)
    acted = UnicodeAttribute(null=True)
    holds_messages = UnicodeAttribute(null=True)
    quiet = UnicodeAttribute(null=True)
    refused_pictures = NumberAttribute(null=True)
    steps_done = UnicodeSetAttribute(null=True)
    flagged_round = NumberAttribute(null=True)
    line = UnicodeAttribute(attr_name="content", null=True)
    reach = NumberAttribute(null=True)
    raised = UnicodeAttribute(null=True)
    held_until = UnicodeAttribute(null=True)
    ends_before = UnicodeAttribute(null=True)


class ReportSaying(MapAttribute[str, object]):
    """What someone said when they reported: the rule that they named, and their comment. Its names are short, as a
    report has room for several."""

    rule_id = UnicodeAttribute(attr_name="rule", null=True)
    comment = UnicodeAttribute(attr_name="text", null=True)
    said_at = UnicodeAttribute(attr_name="at")


class CaseReport(Item, discriminator="CaseReport"):
    """One person's report, once for each reporter and case. Reporting again adds posts to it; `rule_id` and `comment`
    are then what they said last, and `said_before` what they said before that in this round, oldest first. `erased`
    says that the reporter's account was erased, and that nobody has the id. `word_ids` are the word filters for which
    the site reports. `messages` is how many private messages they chose last. `original_id` is the account that the
    person pretends to be, as the reporter says."""

    reporter_id = UnicodeAttribute()
    round = NumberAttribute()
    rule_id = UnicodeAttribute(null=True)
    comment = UnicodeAttribute(null=True)
    said_before = ListAttribute(of=ReportSaying, null=True)
    language = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    messages = NumberAttribute(null=True)
    original_id = UnicodeAttribute(null=True)
    reported_at = UnicodeAttribute()
    word_ids = UnicodeSetAttribute(null=True)
    erased = UnicodeAttribute(null=True)


class CaseEvidence(Item, discriminator="CaseEvidence"):
    """A post as it was when it was first reported, kept even if its author edits or deletes it. That of a reply names
    its place in the thread. `lang` is its language, if it was known. `added` says that a moderator took it into the
    case, and nobody had reported it."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute()
    warning = UnicodeAttribute(null=True)
    audience = UnicodeAttribute(null=True)
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to = UnicodeAttribute(null=True)
    path = UnicodeAttribute(null=True)
    lang = UnicodeAttribute(null=True)
    added = UnicodeAttribute(null=True)
    kept_at = UnicodeAttribute()


class ProfileEvidence(Item, discriminator="ProfileEvidence"):
    """A profile as it was when it was reported, kept even if the person changes it. `avatar` and `header` name the
    files of the pictures."""

    person_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    name = UnicodeAttribute(null=True)
    bio = UnicodeAttribute(attr_name="content", null=True)
    location = UnicodeAttribute(null=True)
    avatar = UnicodeAttribute(attr_name="imageUrl", null=True)
    header = UnicodeAttribute(null=True)
    gender = UnicodeAttribute(null=True)
    kept_at = UnicodeAttribute()


class PackEvidence(Item, discriminator="PackEvidence"):
    """A starter pack as it was when it was reported: its words, and the handle of its owner then."""

    list_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    title = UnicodeAttribute()
    about = UnicodeAttribute(attr_name="content", null=True)
    kept_at = UnicodeAttribute()


class MessageEvidence(Item, discriminator="MessageEvidence"):
    """A private message as its reader had it when they reported it, or one beside it, for what it answers: only those
    with `reported` were chosen. It stays when the message is deleted or its time is over.

    `conversation` is the same for all messages of one conversation, and leads to none. `previous` is the message right
    before it, empty for none, so that staff see where some were left out. `answers` is the one that it answers.
    `number_of_photos` is how many it had. Those of reported ones are kept as `CasePhoto`.
    """

    most_bytes = 12_288  # a message of 2,000 characters of any script

    conversation = UnicodeAttribute()
    message_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute(null=True)
    reported = UnicodeAttribute(null=True)
    previous = UnicodeAttribute(null=True)
    answers = UnicodeAttribute(attr_name="answer_to", null=True)
    number_of_photos = NumberAttribute(null=True)
    kept_at = UnicodeAttribute()


class CaseNote(Item, discriminator="CaseNote"):
    """A moderator's note for other moderators."""

    note_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content")


class CaseMessage(Item, discriminator="CaseMessage"):
    """A part of the conversation about an appeal, by the person or a moderator. The person does not see the moderator's
    name."""

    message_id = UnicodeAttribute()
    action_id = UnicodeAttribute()
    writer_id = UnicodeAttribute()
    is_staff = BooleanAttribute(default=False)
    text = UnicodeAttribute(attr_name="content")


class CaseAction(Item, discriminator="CaseAction"):
    """A moderator's action on a case, in one of its rounds. It never changes, except that it notes who undid it and
    when. `rule_id` is the rule that the moderator named. `word_id` is the word filter for which the site itself
    acted. `parts` are those that were reset, of the profile, of which the case keeps the version `profile`, and of
    `packs`, the starter packs that the action is about. `noticed_at` is when the case was opened, if people had
    reported; without it the action was taken on the site's own initiative. `photos` are those whose files were removed,
    and `hashes` what was put on the list of blocked pictures."""

    action_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    until = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    text = UnicodeAttribute(attr_name="content", null=True)
    rule_id = UnicodeAttribute(null=True)
    round = NumberAttribute(null=True)
    word_id = UnicodeAttribute(null=True)
    parts = UnicodeSetAttribute(null=True)
    packs = UnicodeSetAttribute(null=True)
    profile = UnicodeAttribute(null=True)
    noticed_at = UnicodeAttribute(null=True)
    photos = UnicodeSetAttribute(attr_name="photo_ids", null=True)
    hashes = UnicodeSetAttribute(null=True)
    undone_by = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)


class CaseOutcome(Item, discriminator="CaseOutcome"):
    """The outcome of one round of a case, for its reporters. `action_id` is the action that it names, `undone_at` says
    since when nothing of it stands."""

    round = NumberAttribute()
    decision = UnicodeAttribute()
    action_id = UnicodeAttribute(null=True)
    decided_at = UnicodeAttribute()
    undone_at = UnicodeAttribute(null=True)


class ClosedCase(Item, discriminator="ClosedCase"):
    """A pointer to a case in the month in which it was closed, by `moderator_id`. `decision` and `undone_at` are those
    of the outcome."""

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    decision = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    closed_at = UnicodeAttribute()
    undone_at = UnicodeAttribute(null=True)


class Strike(Item, discriminator="Strike"):
    """In the person's partition: an action of the moderators and its message. `case_kind` and `subject_id` lead to the
    case. `automatic` says that the site did it by itself, for a word filter. `parts` and `packs` as in `CaseAction`.
    `noticed` is "yes" if people had reported, `appealed_at` says when the person first appealed, `answered_at` when the
    appeal was rejected."""

    user_id = UnicodeAttribute()
    action_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    case_kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content", null=True)
    until = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    parts = UnicodeSetAttribute(null=True)
    packs = UnicodeSetAttribute(null=True)
    rule_id = UnicodeAttribute(null=True)
    appeal = UnicodeAttribute(null=True)
    automatic = UnicodeAttribute(null=True)
    noticed = UnicodeAttribute(null=True)
    appealed_at = UnicodeAttribute(null=True)
    answered_at = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)


class HelpOffer(Item, discriminator="HelpOffer"):
    """In the person's partition: kind words of the moderators to someone who may be in danger. It is no strike, and
    expires after 90 days."""

    page = "/help/now"

    user_id = UnicodeAttribute()
    offer_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content")


class ReportTrace(Item, discriminator="ReportTrace"):
    """In the reporter's partition: a case that they reported to, and the round."""

    user_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    round = NumberAttribute()
    reported_at = UnicodeAttribute()


class CasePhoto(Item, discriminator="CasePhoto"):
    """A photo of a post or a private message as it was when first reported with this description, or a picture of a
    reported profile. The item is there before its file, and the file is deleted after it.

    `secret` is a part of the file's name, to which no address of photos leads. `source` is that of the photo's
    own private files. `width`, `height` and `bytes` are those of the copy. `number` is its place in the post or the
    message.

    `sha256` and `pdq` are what the photo is known by, if the photo said so when it was reported.

    A picture of a profile has a `part` (`avatar` or `header`), and neither post nor message. Its `source` names the
    files that everyone sees, and `withdrawn` says that moderators took them away.
    """

    photo_id = UnicodeAttribute()
    post_id = UnicodeAttribute(null=True)
    message_id = UnicodeAttribute(null=True)
    part = UnicodeAttribute(null=True)
    person_id = UnicodeAttribute()
    version = UnicodeAttribute(attr_name="post_version")
    number = NumberAttribute(null=True)
    secret = UnicodeAttribute()
    source = UnicodeAttribute()
    state = UnicodeAttribute()
    width = NumberAttribute()
    height = NumberAttribute()
    bytes = NumberAttribute(null=True)
    thumbhash = UnicodeAttribute(null=True)
    alt = UnicodeAttribute(null=True)
    withdrawn = UnicodeAttribute(null=True)
    sha256 = UnicodeAttribute(null=True)
    pdq = UnicodeAttribute(null=True)


class PersonEntry(Item, discriminator="PersonEntry"):
    """A pointer to a person, in the list of those who signed up in a month, or of those who are restricted. The latter
    ends with the restriction."""

    user_id = UnicodeAttribute()


class PersonNote(Item, discriminator="PersonNote"):
    """In a person's partition: a moderator's note about them, for other moderators. It loses its moderator when that
    account is erased."""

    user_id = UnicodeAttribute()
    note_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute(null=True)
    text = UnicodeAttribute(attr_name="content")


class WaitingCount(Item, discriminator="WaitingCount"):
    """The open cases of a queue, or of the desk of a moderator, as the clock counted them at `counted_at`. `place` is
    the queue's name or the moderator's id, `kinds` the cases of each kind, and `to_answer` counts each case as often as
    it has appeals. `opened` says when the counted cases were opened, in minutes after `oldest`, and `oldest_urgent`
    when the oldest one was that is urgent."""

    place = UnicodeAttribute()
    cases = NumberAttribute(default=0)
    has_more = BooleanAttribute(default=False)
    to_answer = NumberAttribute(default=0)
    kinds = JSONAttribute(default=dict)
    oldest = UnicodeAttribute(null=True)
    opened = UnicodeAttribute(null=True)
    oldest_urgent = UnicodeAttribute(null=True)
    counted_at = UnicodeAttribute()

    @classmethod
    def new(cls, *, partition: str, place: str) -> Self:
        return cls(*keys.waiting_count(partition), place=place)


class SamePost(Item, discriminator="SamePost"):
    """Posts of a new account that are like those of others: at most 20, as many as an action takes. None for an account
    that came from the same network as others. `message_ids` are first messages to strangers that are like others.
    Of a brigade these are the people who reported someone, or who answered or mentioned them, with those posts: only
    those with `counts` are new here or follow each other."""

    author_id = UnicodeAttribute()
    counts = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    message_ids = UnicodeSetAttribute(null=True)


class Hint(Item, discriminator="Hint"):
    """Several new accounts posted the same, or came from one network. `authors` is how many were found so far, at most
    100; where messages are alike, how many of these. The sample is one of the posts, if there are any; the search for
    erased people takes its author out. `brigade` says that accounts of one day posted it within one hour, and
    `target_id` is the person against whom they turned. `put_away` says that staff need not see it any more."""

    hint_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    host = UnicodeAttribute(null=True)  # of the links
    authors = NumberAttribute()
    sample_id = UnicodeAttribute(null=True)
    sample_author_id = UnicodeAttribute(null=True)
    brigade = UnicodeAttribute(null=True)
    target_id = UnicodeAttribute(null=True)
    put_away = UnicodeAttribute(null=True)
