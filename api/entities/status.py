"""Posts, as statuses."""

from typing import Any

from accounts.people.viewer import Viewer
from api.entities.account import account_of, as_html, moment
from api.entities.filter import filter_id
from api.entities.media import as_attachment
from api.pages import id_of, status_id
from api.photo_addresses import PhotoAddress
from feed.cards.pages import is_for_everyone
from feed.cards.post_card import PollCard, PostCard, ShownPhoto
from photos.reads import WIDTHS, picture_url
from socialsite.table import ids
from socialsite.texts import tag_url, tags_in


def status_of(card: PostCard, here: str, viewer: Viewer, **known: Any) -> dict[str, Any]:
    """Returns a post as its list shows it: where a repost brings it, the repost with the post inside. `known` is what
    the caller knows besides, such as that it is saved, which lists do not read."""
    status = _post(card, here, viewer) | known
    if not card.repost_id:
        return status
    reposter = card.reposters[0]
    return status | {
        "id": status_id(card.repost_id, reposter.user_id),
        "account": account_of(reposter, here),
        "created_at": moment(ids.time_of(card.repost_id)),
        "reblog": status,
        "content": "",
        "spoiler_text": "",
        "media_attachments": [],
        "mentions": [],
        "tags": [],
        "poll": None,
        "quote": None,
    }


def tag_of(tag: str, here: str, *, following: bool = False) -> dict[str, Any]:
    address = f"{here}{tag_url(tag)}"
    return {"id": tag, "name": tag, "url": address, "history": [], "following": following}


def _post(card: PostCard, here: str, viewer: Viewer) -> dict[str, Any]:
    address = f"{here}{card.url}"
    answered = card.answered
    return {
        "id": id_of(card),
        "created_at": moment(card.created),
        "edited_at": card.edited_at or None,
        "in_reply_to_id": status_id(card.reply_to, answered.user_id) if answered else None,
        "in_reply_to_account_id": answered.user_id if answered else None,
        "sensitive": card.is_covered,
        "spoiler_text": card.warning,
        "visibility": "public" if is_for_everyone(card) else "private",
        "language": card.lang or None,
        "uri": address,
        "url": address,
        "replies_count": card.reply_count,
        "reblogs_count": card.repost_count,
        "favourites_count": card.like_count,
        "quotes_count": card.quote_count,
        "content": f"{_quote_line(card, here)}{as_html(card.html, here)}",
        "filtered": _filtered(card),
        "reblog": None,
        "application": None,
        "account": account_of(card.author, here),
        "media_attachments": [_photo(one, card, here, viewer) for one in card.photos],
        "mentions": _mentions(card, here),
        "tags": [{"name": tag, "url": f"{here}{tag_url(tag)}"} for tag in tags_in(card.text)],
        "emojis": [],
        "card": None,
        "poll": poll_of(card.poll, id_of(card)) if card.poll else None,
        "quote": _quote(card, here, viewer),
        "quote_approval": _quote_approval(card),
        **(_own_state(card) if viewer.is_authenticated else {}),
        # The site's own words.
        "audience": card.audience or "everyone",
        "expires_at": moment(card.expires),
        "replies": card.who_replies or "everyone",
        "imported_from": card.imported or None,
    }


def _filtered(card: PostCard) -> list[dict[str, Any]]:
    """Returns the muted word for which pages fold the post. What is to be hidden does not come here at all."""
    if not card.muted_by:
        return []
    named: dict[str, Any] = {
        "id": filter_id(card.muted_by),
        "title": card.muted_by,
        "context": ["home", "public", "thread"],
    }
    named |= {"expires_at": None, "filter_action": "warn"}
    return [{"filter": named, "keyword_matches": [card.muted_by], "status_matches": None}]


def _own_state(card: PostCard) -> dict[str, Any]:
    return {
        "favourited": card.liked,
        "reblogged": card.reposted,
        "bookmarked": False,
        "muted": False,
        "pinned": False,
    }


def _mentions(card: PostCard, here: str) -> list[dict[str, str]]:
    return [
        {
            "id": user_id,
            "username": handle,
            "acct": handle,
            "url": f"{here}/@{handle}?id={user_id}",  # as the text links it
        }
        for handle, user_id in (card.mentions or {}).items()
    ]


def _quote(card: PostCard, here: str, viewer: Viewer) -> dict[str, Any] | None:
    """Returns the quoted post. What that quotes itself is only named to be there: nobody looked whether the viewer may
    see it."""
    if not card.quote_of:
        return None
    if card.quoted is None:
        state = "revoked" if card.quote_withdrawn else "unauthorized"
        return {"state": state, "quoted_status": None}
    quoted = _post(card.quoted, here, viewer)
    if shallow := quoted["quote"]:
        quoted["quote"] = {"state": shallow["state"], "quoted_status_id": None}
    return {"state": "accepted", "quoted_status": quoted}


def _quote_line(card: PostCard, here: str) -> str:
    """Returns the line by which apps lead to a quoted post that show no quotes. Those that do leave it out."""
    if card.quoted is None:
        return ""
    address = f"{here}{card.quoted.url}"
    return f'<p class="quote-inline">RE: <a href="{address}">{address}</a></p>'


def _quote_approval(card: PostCard) -> dict[str, Any]:
    return {
        "automatic": ["public"] if card.can_be_reposted and card.is_quotable else [],
        "manual": [],
        "current_user": "automatic" if card.can_be_quoted else "denied",
    }


def _photo(photo: ShownPhoto, card: PostCard, here: str, viewer: Viewer) -> dict[str, Any]:
    if photo.is_public:
        small, *_, large = (picture_url(photo.secret, width) for width in WIDTHS)
    else:
        address = PhotoAddress.of(id_of(card), photo.photo_id, photo.secret, viewer)
        small, *_, large = (address.url(width) for width in WIDTHS)
    return as_attachment(
        photo.photo_id,
        f"{here}{large}",
        f"{here}{small}",
        width=photo.width,
        height=photo.height,
        alt=photo.alt,
    )


def poll_of(poll: PollCard, poll_id: str) -> dict[str, Any]:
    """Returns a poll as the viewer of its card sees it: without numbers until they voted. It has the id of its post."""
    shown = poll.shows_results
    return {
        "id": poll_id,
        "expires_at": moment(poll.ends),
        "expired": poll.is_closed,
        "multiple": poll.several,
        "votes_count": sum(choice.votes for choice in poll.choices),
        "voters_count": poll.voters if shown else None,
        "options": [
            {"title": choice.text, "votes_count": choice.votes if shown else None}
            for choice in poll.choices
        ],
        "emojis": [],
        "voted": poll.voted or poll.is_own,
        "own_votes": [int(place) for place in poll.chosen],
    }
