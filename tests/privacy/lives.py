"""A person who did everything that this site offers, among others who did it to them."""

from types import SimpleNamespace

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import UserInfo
from accounts.people.cards import Kind, files_of
from accounts.people.viewer import Viewer
from accounts.profile.writes import new_name
from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.changes import edit_post
from feed.publishing.writes import publish_post
from feed.saved.writes import create_folder, save_post
from feed.sharing.writes import repost, withdraw_quote
from feed.threads.writes import leave_thread
from moderation.cases.writes import appeal
from moderation.models import ActionKind
from moderation.people.writes import note_person
from photos.writes import upload_photo
from relations.blocks.writes import block, mute, unblock
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from relations.own_choices.writes import (
    dismiss_suggestion,
    favourite,
    follow_tag,
    hide_reposts,
    subscribe,
    unfavourite,
)
from relations.suggested import look_for_people
from socialsite.table import change, ids, keys
from tests.accounts.origins import note
from tests.accounts.pictures import encode, halves
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.feed.photographs import photo
from tests.feed.polls.polling import ask, choose
from tests.feed.quoting import quoted_by
from tests.moderation.cases import about, decide, held_post, report

TEXT = "Nightingale over the canal"  # in everything that she writes
NAME = "Ursula Quastenflosser"


def settle(one: Viewer, other: Viewer) -> None:
    request_friend(by=one, user_id=other.user_id)
    accept_friend(by=other, user_id=one.user_id)


def live(alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer) -> SimpleNamespace:
    """Alice has a life here with Bob and Carol, before the worker has seen any of it."""
    dave, erin = person("dave"), person("erin")
    picture = default_storage.save(f"avatars/{ids.new_id()}.webp", ContentFile(b"picture"))
    header = new_name(Kind.HEADER)
    pictures = [picture, *files_of(header).values()]
    for name in pictures[1:]:
        default_storage.save(name, ContentFile(b"picture"))
    change(
        UserInfo,
        keys.user_info(alice.user_id),
        [
            UserInfo.avatar.set(picture),
            UserInfo.header.set(header),
            UserInfo.name.set(NAME),
            UserInfo.location.set("Ghent"),
        ],
    )
    for one, other in ((bob, alice), (carol, alice), (alice, bob), (dave, alice), (bob, carol)):
        follow(by=one, user_id=other.user_id)
    settle(alice, bob)
    request_friend(by=alice, user_id=carol.user_id)
    request_friend(by=dave, user_id=alice.user_id)
    for fan in (bob, dave):
        favourite(by=fan, user_id=alice.user_id)
    subscribe(by=bob, user_id=alice.user_id)
    unfavourite(by=dave, user_id=alice.user_id)  # softly ended, in Dave's partition alone
    favourite(by=alice, user_id=bob.user_id)
    block(by=erin, user_id=alice.user_id)
    block(by=alice, user_id=dave.user_id)
    unblock(by=alice, user_id=dave.user_id)
    mute(by=carol, user_id=alice.user_id)
    dismiss_suggestion(by=carol, user_id=alice.user_id)
    follow(by=erin, user_id=bob.user_id)
    look_for_people(erin.user_id)  # finds Alice
    hide_reposts(by=carol, user_id=alice.user_id)
    for one in (alice, bob):
        note(one, "203.0.113.0/24", "their laptop")
    follow_tag(by=alice, tag="birds")
    follow_tag(by=dave, tag="canal")
    leave_thread(by=alice, root_id=post(bob))
    canal = SimpleUploadedFile("canal.png", encode(halves(), "PNG"))
    upload_photo(by=alice, upload=canal, description=TEXT)
    return SimpleNamespace(dave=dave, erin=erin, pictures=pictures)


def write(alice: Viewer, bob: Viewer, carol: Viewer) -> SimpleNamespace:
    """What they say to each other."""
    root = post(alice, f"{TEXT} #canal")
    edit_post(by=alice, post_id=root, content=f"{TEXT}, again #canal", version=1)
    publish_post(by=alice, content=f"{TEXT} for friends", nonce=ids.new_id(), audience="friends")
    bobs = post(bob, "Hello @alice")
    hers = answer(alice, bob, bobs, f"{TEXT}, Bob")
    under = answer(carol, alice, hers, "I agree, @alice")
    beneath = answer(bob, alice, root, "Where?")
    story = answer(alice, alice, root, f"{TEXT}, part two")
    asked = PollWish((TEXT, "Thrush"), length="1w")
    shown = {"photos": [photo(alice, TEXT)], "poll": asked}
    quoting = quoted_by(alice, bob, bobs, f"{TEXT}: as Bob says", **shown)
    choose(bob, alice, quoting, 0)
    quoted = quoted_by(bob, alice, root, "As she says")
    taken_back = quoted_by(alice, bob, post(bob, "Not this"), f"{TEXT}!")
    withdraw_quote(by=bob, quoting=Pointer(taken_back, alice.user_id))
    for fan in (bob, carol):
        like_post(by=fan, post_id=root, author_id=alice.user_id)
    like_post(by=alice, post_id=bobs, author_id=bob.user_id)
    like_post(by=alice, post_id=under, author_id=carol.user_id)
    choose(bob, alice, ask(alice, (TEXT, "Owl"), length="1w"), 0)
    choose(alice, carol, ask(carol, length="1w"), 1)
    repost(by=carol, post=Pointer(root, alice.user_id))
    repost(by=alice, post=Pointer(bobs, bob.user_id))
    save_post(by=bob, post_id=root, author_id=alice.user_id, note="Lovely")
    folder = create_folder(by=alice, name=f"{TEXT} folder")
    save_post(by=alice, post_id=bobs, author_id=bob.user_id, folder_id=folder, note=TEXT)
    return SimpleNamespace(
        root=root,
        bobs=bobs,
        hers=hers,
        under=under,
        beneath=beneath,
        story=story,
        quoting=quoting,
        quoted=quoted,
    )


def be_moderated(
    alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer, said: SimpleNamespace
) -> None:
    """Alice is reported, warned and appeals; she reports Bob; a post of hers is held. There are notes
    about her, and one of hers about Bob."""
    report(bob, alice, said.root, rule_id="spam", comment="Too many birds")
    action = decide(mod, about(alice), ActionKind.WARN, text="Fewer birds")
    appeal(person_id=alice.user_id, action_id=action, text=f"{TEXT} are quiet")
    report(carol, alice, rule_id="spam")
    report(alice, bob, said.bobs, rule_id="spam", comment="Just hello?")
    held_post(alice, f"{TEXT}, held")
    note_person(by=mod, user_id=alice.user_id, text=f"{TEXT}, says everyone")
    note_person(by=alice, user_id=bob.user_id, text="From her days on the staff")
