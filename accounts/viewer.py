"""Who is looking: `request.user`, our own small class (the site has no Django user model)."""

from dataclasses import dataclass

from accounts.cards import PersonCard

STAFF_ROLES = ("moderator", "admin")


@dataclass(frozen=True, slots=True)
class Viewer:
    """A signed-in person, or a visitor (`user_id` empty). Services take it as the actor."""

    user_id: str = ""
    secret_hash: str = ""
    card: PersonCard | None = None
    pulled: tuple[str, ...] = ()  # authors whose posts are merged into the timeline at reading
    hidden: tuple[
        str, ...
    ] = ()  # whose posts the worker may not have taken out of the timeline yet

    @property
    def is_authenticated(self) -> bool:
        return bool(self.user_id)

    @property
    def handle(self) -> str:
        return self.card.handle if self.card else ""

    @property
    def name(self) -> str:
        return self.card.name if self.card else ""

    @property
    def is_widely_followed(self) -> bool:
        return self.card is not None and self.card.is_widely_followed

    @property
    def is_staff(self) -> bool:
        return self.card is not None and self.card.role in STAFF_ROLES


VISITOR = Viewer()
