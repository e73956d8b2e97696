"""The letters about what a person missed, as the clock writes them. It looks for the unread ones when something will
have waited for a day, at least once a day; nobody who did not ask for them is looked at."""

from datetime import datetime, timedelta

from accounts.mail.choices import DAILY, Regular
from accounts.mail.regular import Facts, Reader, Written, regular_letter
from notifications.digest.letters import digest_letter, unread_letter
from notifications.digest.reads import find_news, find_unread
from socialsite.clock import utc_now
from socialsite.table import ids

DAY = timedelta(days=1)


@regular_letter(Regular.DIGEST)
def write_digest(reader: Reader, facts: Facts, is_last: bool) -> Written:
    """Writes what is new since the last digest, and posts of the last day or week. Reads what `find_news` reads."""
    days = 1 if reader.choice.digest == DAILY else 7
    since = datetime.fromisoformat(facts["planned"]) - timedelta(days=days)
    waiting = reader.viewer.waiting
    news = find_news(
        reader.viewer, since=since, told=int(facts.get("told", 0)), chats=facts.get("chats", "")
    )
    if not news.is_new:
        return Written()
    letter = digest_letter(news, reader.viewer.handle, is_last=is_last)
    return Written(letter, {"told": str(waiting.changes), "chats": waiting.chats_state})


@regular_letter(Regular.UNREAD)
def write_unread(reader: Reader, facts: Facts, is_last: bool) -> Written:
    """Writes what was not read for a day. Reads what `find_unread` reads."""
    now, chosen = utc_now(), ids.time_of(reader.choice.stamp)
    until = datetime.fromisoformat(facts["until"]) if "until" in facts else chosen - DAY
    unread = find_unread(reader.viewer, until=until, now=now)
    told = {"until": (now - DAY).isoformat()}
    if not unread.is_anything:
        return Written(told=told, look_at=unread.look_at)
    letter = unread_letter(unread, reader.viewer.handle, is_last=is_last)
    return Written(letter, told, unread.look_at)
