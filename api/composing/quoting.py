"""A new post that quotes another, as an app sends it."""

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from api.access import ApiRequest, refuse, valid
from api.composing.forms import poll_in, words_in
from api.statuses import find
from feed.composing.forms import QuoteForm
from feed.posts.reads import Pointer
from feed.sharing.writes import CannotQuote
from feed.sharing.writes import quote as write_quote
from socialsite.web.limits import POSTS, count_hits

NOT_IN_QUOTES = ("in_reply_to_id", "scheduled_at", "expires_in")
EVERYONE = ("", "everyone", "public")


def publish_quote(request: ApiRequest, quoted: str) -> str:
    """Publishes a post that quotes another, and returns its id. Both are for everyone: for fewer it is refused."""
    sent, viewer = request.sent, request.user
    for name in NOT_IN_QUOTES:
        if any(sent.all(name)):
            raise refuse(_("A quote can’t have “%(name)s”.") % {"name": name})
    if sent.get("visibility") not in EVERYONE or sent.get("audience") not in EVERYONE:
        raise refuse(_("A post that quotes another is for everyone."))
    card = find(request, quoted)
    typed = words_in(request)
    typed["replies"] = sent.get("replies")
    for name, several in poll_in(sent).items():
        typed.setlist(name, list(several))
    values = valid(QuoteForm(typed, MultiValueDict()))
    count_hits((POSTS, viewer.user_id))
    try:
        if not card.can_be_quoted:
            raise CannotQuote("not for everyone")
        post = Pointer(card.post_id, card.author.user_id)
        return write_quote(by=viewer, post=post, **values)
    except CannotQuote as error:
        raise refuse(_("You can’t quote this post.")) from error


def must_be_quotable_by_all(request: ApiRequest) -> None:
    """Raises `Refusal` where a new post may be quoted by fewer than everyone: it would be open to quotes until that was
    written."""
    if request.sent.get("quote_approval_policy") not in ("", "public"):
        raise refuse(_("Choose who can quote a post once it is published."))
