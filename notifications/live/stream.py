"""What open pages hear of that no transaction says by itself (`socialsite/news.py`): an answer in a thread, and that
someone was locked out. Nothing is read or written, so running it twice does no harm."""

from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from feed.posts.models import Reply
from feed.posts.writes import copied_difference
from socialsite.news import News, tell_pages
from socialsite.streams import Change, Ledger, on
from socialsite.table import keys


@on(Reply, "INSERT", "MODIFY")
def tell_of_answer(change: Change, ledger: Ledger) -> None:
    """Tells the pages that show the thread, once others can see the reply. Twice is safe: they ask once more."""
    reply = change.item
    assert isinstance(reply, Reply)
    if copied_difference(change.old, change.new):
        tell_pages(News.THREAD, [reply.key.pk])


@on(UserInfo, "MODIFY")
def doubt_sign_ins(change: Change, ledger: Ledger) -> None:
    """Has the sign-ins of a person looked at who is locked out now. Twice is safe: it is a question."""
    old, info = change.old, change.new
    if isinstance(old, UserInfo) and isinstance(info, UserInfo):
        was, now = (PersonCard.from_raw(one.serialize()).is_locked_out for one in (old, info))
        if now and not was:
            tell_pages(News.SIGN_IN, [keys.sign_ins(info.user_id)])
