"""What people did in a load, as its log says it, and what someone does next.

Each line of the log is what is about to be done, or that it was acknowledged. So the log says in the end what must be
in the table.
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Deed = dict[str, Any]
Pair = tuple[str, str]

PEOPLE = 8
MOST_POSTS = 30  # of one person: a follow backfills the newest 40
KINDS = (
    *("follow",) * 4, *("unfollow",) * 2, *("like",) * 6, *("unlike",) * 2, *("post",) * 3, *("delete",) * 2,
    "ask", "ask", "unfriend", "block", "unblock", "unblock", "report",
)  # fmt: skip


@dataclass
class World:
    """People, posts, and what is between them."""

    people: dict[str, str] = field(default_factory=dict)  # id by handle
    posts: dict[str, str] = field(default_factory=dict)  # author by post, the living ones
    deleted: dict[str, str] = field(default_factory=dict)
    follows: set[Pair] = field(default_factory=set)
    likes: set[Pair] = field(default_factory=set)
    asked: set[Pair] = field(default_factory=set)
    friends: set[Pair] = field(default_factory=set)  # both ways
    blocks: set[Pair] = field(default_factory=set)
    reports: set[Pair] = field(default_factory=set)  # who, which post
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
            case "like" if what in self.posts:
                self.likes.add((who, what))
            case "unlike":
                self.likes.discard((who, what))
            case "ask" if (what, who) in self.asked:
                self.asked.discard((what, who))
                self.friends |= {(who, what), (what, who)}
            case "ask":
                self.asked |= {(who, what)} - self.friends
            case "unfriend":
                self.friends -= {(who, what), (what, who)}
                self.asked.discard((who, what))
            case "block":
                self.blocks.add((who, what))
                for pairs in (self.follows, self.asked, self.friends):
                    pairs -= {(who, what), (what, who)}
            case "unblock":
                self.blocks.discard((who, what))
            case "report":
                self.reports.add((who, what))

    def choose(self, chance: random.Random) -> Deed:
        """What someone does next: nothing that a block forbids."""
        if len(self.people) < 3 or (len(self.people) < PEOPLE and chance.random() < 0.1):
            return {"kind": "sign up", "who": f"person_{len(self.people)}"}
        one, other = chance.sample(sorted(self.people.values()), 2)
        kind = chance.choice(KINDS)
        if kind in ("post", "delete"):
            return self._choose_own(chance, kind, one)
        if kind in ("like", "unlike", "report"):
            return self._choose_post(chance, kind, one)
        if kind == "unblock" and self.blocks:
            one, other = chance.choice(sorted(self.blocks))
        elif kind == "block" and len(self.blocks) > PEOPLE / 2:
            return {"kind": "unblock", "who": one, "what": other}
        elif kind in ("follow", "unfollow", "ask", "unfriend") and self.is_blocked(one, other):
            kind = "unblock"
        return {"kind": kind, "who": one, "what": other}

    def _choose_own(self, chance: random.Random, kind: str, one: str) -> Deed:
        own = [post_id for post_id, author in self.posts.items() if author == one]
        if len(own) >= MOST_POSTS or (kind == "delete" and len(own) >= 3):
            return {"kind": "delete", "who": one, "what": chance.choice(own)}
        return {"kind": "post", "who": one, "what": f"{chance.getrandbits(60):x}"}

    def _choose_post(self, chance: random.Random, kind: str, one: str) -> Deed:
        gone = kind != "report" and chance.random() < 0.05 and self.deleted
        known = self.deleted if gone else self.posts
        seen = sorted(
            post_id
            for post_id, author in known.items()
            if author != one and not self.is_blocked(one, author)
        )
        if not seen:
            return {"kind": "post", "who": one, "what": f"{chance.getrandbits(60):x}"}
        return {"kind": kind, "who": one, "what": chance.choice(seen)}

    def is_blocked(self, one: str, other: str) -> bool:
        return bool(self.blocks & {(one, other), (other, one)})

    def author_of(self, post_id: str) -> str:
        return self.posts.get(post_id) or self.deleted[post_id]
