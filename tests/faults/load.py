"""Somebody using the site until killed: `python -m tests.faults.load <log> <seed> [finish]`.

Each line of the log is what is about to be done, or that it was acknowledged. What was begun and not acknowledged is
repeated first after a restart, as people do; `finish` does only that. So the log says in the end what must be there.
"""

import json
import os
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Deed = dict[str, Any]

PAUSE = float(os.environ.get("LOAD_PAUSE", 0))  # seconds after each deed
PEOPLE = 8
MOST_POSTS = 30  # of one person: a follow backfills the newest 40


@dataclass
class World:
    """What the log says: people, posts, who follows whom, who likes what."""

    people: dict[str, str] = field(default_factory=dict)  # id by handle
    posts: dict[str, str] = field(default_factory=dict)  # author by post, the living ones
    deleted: dict[str, str] = field(default_factory=dict)
    follows: set[tuple[str, str]] = field(default_factory=set)
    likes: set[tuple[str, str]] = field(default_factory=set)
    pending: Deed | None = None
    deeds: int = 0

    @classmethod
    def read(cls, log: Path) -> "World":
        world = cls()
        for line in log.read_text().splitlines() if log.exists() else ():
            entry = json.loads(line)
            if entry["state"] == "begun":
                world.pending = entry
            else:
                world.note(entry)
        return world

    def note(self, deed: Deed) -> None:
        """An acknowledged deed changes the world."""
        self.pending = None
        self.deeds += 1
        who, what = deed["who"], deed.get("what", "")
        match deed["kind"]:
            case "sign up":
                self.people[who] = deed["made"]
            case "post":
                self.posts[deed["made"]] = who
            case "delete":
                self.posts.pop(what)
                self.deleted[what] = who
                self.likes = {like for like in self.likes if like[1] != what}
            case "follow":
                self.follows.add((who, what))
            case "unfollow":
                self.follows.discard((who, what))
            case "like":
                if what in self.posts:
                    self.likes.add((who, what))
            case "unlike":
                self.likes.discard((who, what))

    def choose(self, chance: random.Random) -> Deed:
        """What somebody does next."""
        if len(self.people) < 3 or (len(self.people) < PEOPLE and chance.random() < 0.1):
            return {"kind": "sign up", "who": f"person_{len(self.people)}"}
        one, other = chance.sample(sorted(self.people.values()), 2)
        own = [post_id for post_id, author in self.posts.items() if author == one]
        kinds = ["follow", "follow", "unfollow", "like", "like", "like", "unlike", "post", "delete"]
        kind = chance.choice(kinds)
        if kind == "delete" and len(own) < 3:
            kind = "post"
        if kind == "post" and len(own) >= MOST_POSTS:
            kind = "delete"
        match kind:
            case "post":
                return {"kind": "post", "who": one, "what": f"{chance.getrandbits(60):x}"}
            case "delete":
                return {"kind": "delete", "who": one, "what": chance.choice(own)}
            case "follow" | "unfollow":
                return {"kind": kind, "who": one, "what": other}
        # Now and then a like of something that was deleted meanwhile.
        gone = chance.random() < 0.05 and self.deleted
        known = sorted(self.deleted if gone else self.posts)
        if not known:
            return {"kind": "follow", "who": one, "what": other}
        return {"kind": kind, "who": one, "what": chance.choice(known)}


def do(deed: Deed, world: World) -> str:
    """Does it through the services; returns the id of what was made."""
    from accounts.access_patterns import find_user_by_handle
    from accounts.services.follow import follow, unfollow
    from accounts.services.sign_up import HandleTaken, sign_up
    from accounts.viewer import Viewer
    from feed.services.delete_post import delete_post
    from feed.services.like_post import like_post, unlike_post
    from feed.services.publish_post import publish_post

    who, what = deed["who"], deed.get("what", "")
    match deed["kind"]:
        case "sign up":
            try:
                email = f"{who}@example.org"
                return sign_up(handle=who, name=who, email=email, password="correct horse battery")
            except HandleTaken:  # by the try before, whose answer was lost
                return find_user_by_handle(who)
        case "post":
            return publish_post(by=Viewer(who), content=f"I am {what}", nonce=what)
        case "delete":
            delete_post(by=Viewer(who), post_id=what)
        case "follow":
            follow(by=Viewer(who), user_id=what)
        case "unfollow":
            unfollow(by=Viewer(who), user_id=what)
        case "like":
            author = world.posts.get(what) or world.deleted[what]
            like_post(by=Viewer(who), post_id=what, author_id=author)
        case "unlike":
            unlike_post(by=Viewer(who), post_id=what)
    return ""


def main(log: Path, seed: str, *, finish: bool) -> None:
    import django

    django.setup()
    from socialsite.table.errors import Conflict, Unavailable

    world = World.read(log)
    chance = random.Random(f"{seed} {world.deeds}")
    with log.open("a", buffering=1) as lines:
        while world.pending or not finish:
            deed = world.pending or world.choose(chance)
            if not world.pending:
                lines.write(json.dumps(deed | {"state": "begun"}) + "\n")
                world.pending = deed
            try:
                made = do(deed, world)
            except (Unavailable, Conflict):
                time.sleep(0.1)
                continue
            deed = deed | {"state": "done", "made": made}
            lines.write(json.dumps(deed) + "\n")
            world.note(deed)
            time.sleep(PAUSE)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
    main(Path(sys.argv[1]), sys.argv[2], finish="finish" in sys.argv[3:])
