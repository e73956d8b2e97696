"""What open pages hear of that no transaction says by itself (`socialsite/news.py`): an answer in a thread, that
someone was locked out, and for apps that a post was edited or deleted. Nothing is read or
written, so running it twice does no harm."""

from accounts.models import UserInfo
from feed.posts.models import Post, Reply
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


@on(Post, "MODIFY", "REMOVE")
def tell_of_change(change: Change, ledger: Ledger) -> None:
    """Tells the apps that show a post that it is another now, or gone. Twice is safe: they ask once more."""
    post = change.old
    assert isinstance(post, Post)
    tell_pages(News.CHANGED, [post.post_id])


@on(UserInfo, "MODIFY")
def doubt_sign_ins(change: Change, ledger: Ledger) -> None:
    """Has the sign-ins of a person looked at who is locked out now. Twice is safe: it is a question."""
    old, info = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(info, UserInfo)
    if _may_be_locked_out(info) and not _may_be_locked_out(old):
        tell_pages(News.SIGN_IN, [keys.sign_ins(info.user_id)])


def _may_be_locked_out(info: UserInfo) -> bool:
    return bool(info.waiting or info.paused or info.closing or info.suspended_until)
