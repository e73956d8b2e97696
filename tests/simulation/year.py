"""A year of a simulated site: every deadline is waited for, beside the few who live here and three clock changes.

The clock goes from one planned moment to the next, so what is late is late by the site's own doing. It begins two days
before a leap day. In the spring a worker sleeps for a month.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from accounts.mail.choices import DAILY, LetterChoice, choose_letters
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.profile.writes import change_handle
from accounts.security.writes import ask_for_reset
from accounts.sessions import get_viewer, hash_secret
from accounts.sign_in.writes import sign_in
from chats.reads import get_chat
from chats.writes import send_message
from feed.cards.reads import get_post
from feed.composing.composition import Composition, Seen
from feed.composing.writes import schedule_post
from feed.polls.models import PollWish
from feed.posts.models import Post as PostItem
from feed.publishing.writes import publish_post
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.reads import CaseId, read_case
from moderation.kinds import ActionKind
from moderation.models import CaseKind
from moderation.reports.writes import file_report
from notifications.writes import read_notifications
from privacy.erasure.writes import close_account
from relations.blocks.writes import mute
from relations.follows.writes import follow
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.table import NotFound, fetch, ids, keys, query, row
from tests.simulation import deeds, letters
from tests.simulation.clockwork import BEGIN, clock
from tests.simulation.deeds.accounts import newcomer
from tests.simulation.deeds.casting import known
from tests.simulation.looking import look
from tests.simulation.model import Message, Person, Post
from tests.simulation.run import Season
from tests.simulation.world import Deed, Violation, World

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
)  # whose clocks change by half an hour
AT, HOUR = time(7, 30), 8
DAY, MINUTE = 86_400.0, 60.0
A_YEAR = 366
DEEDS_A_DAY = 6
SLEEP = (95, 126)  # days: a worker sleeps for a month
LOOKED_AT_EVERY = 15  # days
AT_WORK = 60  # seconds that people and workers get for what was begun, at most
BELL_LOOKED_AT = 7  # days: a full bell, with 99 groups, rings no more, so letters of it end too
SLACK = 90.0  # seconds before and after a deadline, at which is looked


@dataclass
class Deadline:
    """Something that holds until a moment and no longer."""

    name: str
    moment: float
    holds: Callable[[], bool]
    settled: float = 0.0  # seconds that the work behind it may take


@dataclass
class Year(Season):
    steps: int = A_YEAR  # days
    deadlines: list[Deadline] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)
    scheduled: dict[str, tuple[str, datetime]] = field(default_factory=dict)  # text: author, when

    def _play(self) -> None:
        deeds.load()
        letters.sent.clear()
        self.world = world = World(self.seed, said=self._note)
        world.begin(newcomer(world, "admin"))
        for _ in range(14):
            world.begin(newcomer(world))
        world.settle()
        people = [one for one in world.model.people.values() if not one.role]
        self.star, self.readers, self.others = people[0], people[1:4], people[4:]
        self.kept_here = {one.user_id for one in (self.star, *self.readers)}
        self._settle_in()
        while self.played < self.steps:
            self.played += 1
            self._one_day()
        self._scheduled_came()
        self._letters_came()
        world.counts.update({f"deadline: {name}": times for name, times in self.met.items()})
        world.counts["letters"] = len(letters.sent)

    def _settle_in(self) -> None:
        for reader, zone in zip(self.readers, ZONES, strict=True):
            follow(by=known(reader), user_id=self.star.user_id)
            self.world.model.follow(reader.user_id, self.star.user_id)
            choice = LetterChoice(digest=DAILY, hour=HOUR, zone=zone)
            choose_letters(by=known(reader), choice=choice, zone=zone)

    # A day

    def _one_day(self) -> None:
        world = self.world
        world.draw_anew(f"{self.seed} {self.played}")
        sleeper = world.worker_processes[0]
        if self.played == SLEEP[0]:
            sleeper.frozen_until = clock.now + (SLEEP[1] - SLEEP[0]) * DAY
        for person in (self.star, *self.readers):
            known(person)  # they are here every day, or their letters end
        if self.played % BELL_LOOKED_AT == 0:
            for reader in self.readers:
                read_notifications(by=(by := known(reader)), up_to=by.waiting.changes)
        self._star_writes()
        for reader, zone in zip(self.readers, ZONES, strict=True):
            self._schedules(reader, zone)
        self._begins_something()
        self._work()
        morning = BEGIN + self.played * DAY
        for number in range(DEEDS_A_DAY):
            deed = deeds.draw(world)
            # Those whose letters and plans are counted go on living here, and nobody asks them for more.
            if deed and self._may_happen(deed):
                world.begin(deed)
                self._work()
            self._until(morning - DAY + (number + 1) * DAY / DEEDS_A_DAY)
        world.engine.let_go()
        world.engine.shards.trim(clock.now)
        if self.played % LOOKED_AT_EVERY == 0:
            self.told.looks += 1
            frozen = sleeper.frozen_until
            world.settle()
            self._enter_planned()
            look(world)
            sleeper.frozen_until = max(sleeper.frozen_until, frozen)

    def _may_happen(self, deed: Deed) -> bool:
        """Nobody takes those away, nor comes between those, whose deadlines are waited for."""
        about = f"{deed.who} {deed.touches}"
        of_staff = deed.name.startswith(OF_STAFF)
        return not (of_staff or any(one in about for one in self.kept_here))

    def _work(self) -> None:
        """Lets people, workers and clocks end what they have begun before time leaps, as they would within seconds."""
        for _ in range(AT_WORK):
            if not self.world.under_way and not self.world.work_left() and not self._overdue():
                return
            self.world.scheduler.run_until(clock.now + 1.0)

    def _until(self, moment: float) -> None:
        """Lets time pass, from one planned moment to the next, and looks at each deadline shortly before and after."""
        world = self.world
        while clock.now < moment:
            planned = [moment, clock.now + DAY / 4, self._next_due() + 0.05]
            for one in self.deadlines:
                planned += [one.moment - SLACK, one.moment + SLACK]
            ahead = min(each for each in planned if each > clock.now)
            clock.pass_by(ahead - clock.now)
            world.scheduler.run_until(clock.now + 0.7)
            if world.under_way or self._overdue():
                world.scheduler.run_until(clock.now + 6.0)  # a look of the clocks
            self._look_at_deadlines()
            self._work()

    def _overdue(self) -> bool:
        return any(_moment(places[0]) <= clock.now for places in self._planned())

    def _next_due(self) -> float:
        """The first moment ahead at which something is due."""
        ahead = [
            next((one for place in places if (one := _moment(place)) > clock.now), clock.now + DAY)
            for places in self._planned()
        ]
        return min(ahead, default=clock.now + DAY)

    def _planned(self) -> list[list[str]]:
        partitions = self.world.engine.partitions
        due = [partitions.get(f"due#{shard}") for shard in range(keys.DUE_SHARDS)]
        return [places for places in due if places]

    def _look_at_deadlines(self) -> None:
        for one in list(self.deadlines):
            if clock.now < one.moment - SLACK + 10 and clock.now >= one.moment - SLACK:
                if not one.holds():
                    raise Violation(f"{one.name} is over {one.moment - clock.now:.0f} s early")
            elif clock.now >= one.moment + SLACK:
                self.world.scheduler.run_until(clock.now + one.settled)
                if one.holds():
                    raise Violation(f"{one.name} is not over {clock.now - one.moment:.0f} s later")
                self.deadlines.remove(one)
                self.met[one.name] += 1

    # What has an end

    def _begins_something(self) -> None:
        begin = BEGINNINGS[self.played % len(BEGINNINGS)]
        if found := begin(self):
            self.deadlines.append(found)

    def _someone(self) -> Person | None:
        free = [
            one
            for one in self.world.model.living()
            if not one.busy and not one.role and one.user_id not in self.kept_here
        ]
        return self.world.chance.choice(free) if free else None

    def poll(self) -> Deadline:
        post_id = self._publish(poll=PollWish(("Tea", "Coffee"), "1d"))

        def is_open() -> bool:
            poll = get_post(post_id, self.star.user_id, viewer=known(self.readers[0])).poll
            return poll is not None and not poll.is_closed

        return Deadline("a poll", clock.now + DAY, is_open)

    def ending_post(self) -> Deadline:
        post_id = self._publish(expires_in="1w")

        def is_seen() -> bool:
            try:
                get_post(post_id, self.star.user_id, viewer=known(self.readers[0]))
            except NotFound:
                return False
            return True

        return Deadline("a post that ends", clock.now + 7 * DAY, is_seen)

    def message(self) -> Deadline:
        writer, chat_id = self.readers[0], keys.pair(self.readers[0].user_id, self.star.user_id)
        text = f"Message of day {self.played}"
        nonce = ids.new_id()[:22]
        sent = send_message(by=known(writer), chat_id=chat_id, text=text, nonce=nonce)
        assert sent.message
        told = Message(sent.message.message_id, writer.user_id, text, clock.now)
        self.world.model.messages[chat_id].append(told)

        def is_read() -> bool:
            page = get_chat(known(writer), chat_id, consistent=True)
            return told.message_id in {one.message_id for one in page.messages}

        return Deadline("a message", clock.now + 7 * DAY, is_read)

    def mute(self) -> Deadline | None:
        if not (one := self._someone()):
            return None
        until = utc_now() + timedelta(hours=30)
        mute(by=known(one), user_id=self.star.user_id, until=until)
        self.world.model.unsure_pairs.add((one.user_id, self.star.user_id))
        key = keys.relation(one.user_id, RelationType.MUTE, self.star.user_id)
        return Deadline("a mute", until.timestamp(), lambda: is_in_force(fetch([key]).get(key)))

    def suspension(self) -> Deadline | None:
        if not (one := self._someone()):
            return None
        mod = next(each for each in self.world.model.people.values() if each.role)
        file_report(by=known(self.star), person_id=one.user_id, rule_id="spam", comment="See!")
        case_id, until = CaseId(CaseKind.PERSON, one.user_id), utc_now() + timedelta(days=3)
        decision = Decision(ActionKind.SUSPEND, until=until.isoformat(), text="So it is.")
        version = int(read_case(case_id).version)
        decide_case(by=known(mod), case_id=case_id, decision=decision, version=version)
        one.suspended = True
        self.suspended = one

        def is_away() -> bool:
            return get_user_info(one.user_id).is_locked_out

        return Deadline("a suspension", until.timestamp(), is_away)

    def closing(self) -> Deadline | None:
        if len(self.world.model.living()) < 9 or not (one := self._someone()):
            return None
        close_account(by=known(one))
        one.state = "closing"
        key = keys.user_info(one.user_id)
        return Deadline(
            "the grace of a closed account",
            clock.now + 14 * DAY,
            lambda: bool(fetch([key], consistent=True)),
            settled=2 * MINUTE,
        )

    def handle(self) -> Deadline | None:
        if not (one := self._someone()):
            return None
        former, new = one.handle, f"p{one.number}y{self.played}"
        try:
            change_handle(by=known(one), handle=new)
        except Exception:  # changed lately
            return None
        one.handle = new
        key = keys.handle_claim(former)
        return Deadline("a former handle", clock.now + 90 * DAY, lambda: bool(fetch([key])))

    def sign_in(self) -> Deadline:
        one = self.star
        secret = sign_in(user_id=one.user_id, browser="never again", epoch=0)

        def is_signed_in() -> bool:
            # Only looked at here: a page would make it last for as long again.
            viewer, *_ = get_viewer(one.user_id, hash_secret(secret))
            return viewer.is_authenticated

        return Deadline("a sign-in", clock.now + 90 * DAY, is_signed_in)

    def reset(self) -> None:
        ask_for_reset(email=self.star.email)

    def _publish(self, **how: object) -> str:
        named = " ".join(
            f"@{one.handle}" for one in self.readers
        )  # so that there is something to tell
        text, nonce = f"Day {self.played} {named}", ids.new_id()[:22]
        by: Viewer = known(self.star)
        post_id = publish_post(by=by, content=text, nonce=nonce, **how)  # type: ignore[arg-type]
        self.world.model.publish(Post(post_id, self.star.user_id, text, 0))
        if how.get("expires_in"):
            self.world.model.posts[post_id].ends = clock.now + 7 * DAY
        return post_id

    def _star_writes(self) -> None:
        self._publish()

    # What comes at an hour of people's own

    def _schedules(self, reader: Person, zone: str) -> None:
        tomorrow = datetime.fromtimestamp(clock.now, ZoneInfo(zone)).date() + timedelta(days=1)
        when = datetime.combine(tomorrow, AT, tzinfo=ZoneInfo(zone)).astimezone(UTC)
        text = f"Planned in {zone} for {tomorrow}"
        schedule_post(
            by=known(reader),
            composition=Composition(content=text),
            publish_at=when,
            zone=zone,
            nonce=ids.new_id(),
            seen=Seen(),
        )
        self.scheduled[text] = reader.user_id, when

    def _enter_planned(self) -> None:
        """Tells the model of the posts that the clock published."""
        for reader in self.readers:
            for raw in query(keys.posts(reader.user_id)):
                post = row(PostItem, raw)
                if post.content in self.scheduled:
                    told = Post(post.post_id, reader.user_id, post.content, 0, was_moved=True)
                    self.world.model.publish(told)

    def _scheduled_came(self) -> None:
        """Each planned post was published once, within a minute of its hour, whatever the clocks did."""
        found: Counter[str] = Counter()
        for reader in self.readers:
            for raw in query(keys.posts(reader.user_id)):
                post = row(PostItem, raw)
                if post.content in self.scheduled:
                    _, when = self.scheduled[post.content]
                    late = (ids.time_of(post.post_id) - when).total_seconds()
                    if not -1 < late < MINUTE:
                        raise Violation(f"{post.content}: published {late:.0f} s late")
                    found[post.content] += 1
        now = datetime.fromtimestamp(clock.now, UTC)
        missing = [t for t, (_, when) in self.scheduled.items() if when < now and found[t] != 1]
        if missing:
            raise Violation(f"not published once: {missing[:3]}")
        self.met["a planned post"] += sum(found.values())

    def _letters_came(self) -> None:
        """One letter on each day of each reader's own calendar, at their hour."""
        for reader, zone in zip(self.readers, ZONES, strict=True):
            came: Counter[date] = Counter()
            for moment, to, subject in letters.sent_at:
                local = datetime.fromtimestamp(moment, ZoneInfo(zone))
                if to == reader.email and subject not in OTHER_LETTERS and local.hour == HOUR:
                    came[local.date()] += 1
            first = datetime.fromtimestamp(BEGIN, ZoneInfo(zone)).date() + timedelta(days=2)
            last = datetime.fromtimestamp(clock.now, ZoneInfo(zone)).date()
            days = [first + timedelta(days=n) for n in range((last - first).days)]
            wrong = {str(day): came[day] for day in days if came[day] != 1}
            if wrong:
                raise Violation(
                    f"letters of {zone}: {len(wrong)} days differ: {list(wrong.items())[:4]}"
                )
            self.met["a daily letter"] += len(days)


def _moment(place: str) -> float:
    return datetime.fromisoformat(place.partition("#")[0]).timestamp()


OTHER_LETTERS: set[str] = set()
# What the days of a year do themselves.
OF_STAFF = (
    "decide",
    "make a wave",
    "undo",
    "report",
    "appeal",
    "answer an appeal",
    "close",
    "come back",
)
BEGINNINGS: list[Callable[[Year], Deadline | None]] = [
    *(Year.poll, Year.ending_post, Year.message, Year.mute),
    *(Year.suspension, Year.closing, Year.handle, Year.sign_in),
]
