"""Who asks: as on the site, by the signed cookie, but sign-in and person come from PostgreSQL, by one query."""

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from accounts.middleware import People, ViewerMiddleware
from accounts.people.cards import PersonCard, media_url, profile_url
from accounts.people.reads import NOBODY, Holder
from accounts.people.viewer import VISITOR, Viewer
from benchmarks.peer.models import Person, SignIn


class PeerViewerMiddleware(ViewerMiddleware):
    """Sets `request.user` and `request.people`, read on first use."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        people = PeerPeople(request)
        request.people = people  # type: ignore[attr-defined]
        request.user = SimpleLazyObject(lambda: people.viewer)  # type: ignore[assignment]
        return self.get_response(request)


class PeerPeople(People):
    def _read(self) -> tuple[Viewer, Holder]:
        if self._found is None:
            self._found = self._ask(), NOBODY
        return self._found

    def _ask(self) -> Viewer:
        user_id, secret_hash = self.session
        found = SignIn.objects.select_related("person").filter(
            secret_hash=f"{secret_hash}{user_id}"
        )
        if not (sign_in := found.first()):
            return VISITOR
        return Viewer(user_id, secret_hash, card_of(sign_in.person, viewer_id=user_id))


def card_of(person: Person, *, viewer_id: str) -> PersonCard:
    """Returns the site's card of a person."""
    return PersonCard(
        user_id=person.id,
        handle=person.handle,
        name=person.name,
        url=profile_url(person.handle),
        avatar_url=media_url(person.avatar),
        bio=person.bio,
        location=person.location,
        is_self=person.id == viewer_id,
    )
