"""What must be so once all is quiet, and what each person must see: the site in a few sets, without a table.

It says who may see a post in its own words, as the rules of the house do, and not by the code that it is held against.
"""

from collections import defaultdict
from dataclasses import dataclass, field

Pair = tuple[str, str]


@dataclass
class Person:
    user_id: str
    handle: str
    number: int
    role: str = ""
    email: str = ""
    state: str = "here"  # or closing, erased, unsure
    suspended: bool = False
    is_locked: bool = False
    busy: bool = False
    erased_at: float = 0.0  # when that was seen
    here_at: float = 0.0  # when they last did something
    secret: str = ""  # of the sign-in in their browser
    circles: dict[str, str] = field(default_factory=dict)  # names by id
    words: set[str] = field(default_factory=set)  # that only this person ever wrote

    @property
    def is_here(self) -> bool:
        return self.state == "here" and not self.suspended


@dataclass
class Post:
    post_id: str
    author: str
    text: str
    number: int  # in the order in which posts were published
    audience: str = ""
    circle: str = ""
    root: str = ""  # the head of its thread
    reply_to: str = ""
    quote_of: str = ""
    is_story: bool = False
    ends: float | None = None
    is_gone: bool = False
    was_moved: bool = False  # its audience changed, so lists may or may not have it
    is_withheld: bool = False
    poll: bool = False
    votes: dict[str, int] = field(default_factory=dict)


@dataclass
class Message:
    message_id: str
    by: str
    text: str
    sent_at: float
    is_deleted: bool = False


@dataclass
class Model:
    people: dict[str, Person] = field(default_factory=dict)
    posts: dict[str, Post] = field(default_factory=dict)
    posts_of: dict[str, list[Post]] = field(default_factory=lambda: defaultdict(list))
    follows: dict[Pair, int] = field(
        default_factory=dict
    )  # with the number of posts at its beginning
    asks: set[Pair] = field(default_factory=set)
    friends: set[Pair] = field(default_factory=set)  # both ways
    friend_asks: set[Pair] = field(default_factory=set)
    circled: dict[Pair, frozenset[str]] = field(default_factory=dict)  # owner, friend: circles
    blocks: set[Pair] = field(default_factory=set)
    mutes: set[Pair] = field(default_factory=set)
    likes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    reposts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    saves: set[Pair] = field(default_factory=set)  # person, post
    messages: dict[str, list[Message]] = field(default_factory=lambda: defaultdict(list))
    cleared: set[Pair] = field(default_factory=set)  # person, chat
    groups: dict[str, str] = field(default_factory=dict)  # with their founders
    invited: set[Pair] = field(default_factory=set)
    members: set[Pair] = field(default_factory=set)
    waves: list[str] = field(default_factory=list)
    # What two deeds at once left open, until the table is asked.
    unsure_pairs: set[Pair] = field(default_factory=set)
    unsure_likes: set[Pair] = field(default_factory=set)
    unsure_posts: set[str] = field(default_factory=set)
    numbers: int = 0

    # Asking

    def hidden(self, one: str, other: str) -> bool:
        return (one, other) in self.blocks or (other, one) in self.blocks

    def may_see(self, viewer: str, post_id: str) -> bool | None:
        """Whether someone may see a post, None if the model cannot say."""
        post = self.posts.get(post_id)
        if post is None or post_id in self.unsure_posts:
            return None
        author = self.people[post.author]
        if post.is_gone or author.state == "erased":
            return False
        if author.state == "unsure":
            return None
        if viewer == post.author:
            return True
        if not author.is_here or post.is_withheld or self.hidden(viewer, post.author):
            return False
        if not post.root:
            return self._is_for(viewer, post)
        root = self.posts.get(post.root)
        if root is None or root.post_id in self.unsure_posts:
            return None
        if self.people[root.author].state != "here":
            return None  # what an erased head leaves behind goes in its own time
        return root.author == viewer or self._is_for(viewer, root)

    def _is_for(self, viewer: str, post: Post) -> bool:
        match post.audience:
            case "":
                return True
            case "followers":
                return (viewer, post.author) in self.follows
            case "friends":
                return (viewer, post.author) in self.friends
            case "circle":
                circles = self.circled.get((post.author, viewer), frozenset())
                return (viewer, post.author) in self.friends and post.circle in circles
        return False

    def must_be_home(self, viewer: str, *, newer_than: str) -> set[str]:
        """Posts that a person's home must show, which goes back for a month: since they follow, for everyone or
        followers all along."""
        muted = {other for one, other in self.mutes if one == viewer}
        found = set()
        for (follower, author), since in self.follows.items():
            if follower != viewer or author in muted:
                continue
            for post in self.posts_of[author]:
                if (
                    post.number > since
                    and post.post_id > newer_than
                    and not (post.reply_to or post.was_moved or post.is_story or post.quote_of)
                    and post.audience in ("", "followers")
                    and self.may_see(viewer, post.post_id)
                ):
                    found.add(post.post_id)
        return found

    def may_be_home(self, viewer: str, post_id: str) -> bool:
        """Whether a post may stand in a person's home: they may see it, and follow or are its author, or someone
        whom they follow reposted it."""
        if self.may_see(viewer, post_id) is False:
            return False
        post = self.posts.get(post_id)
        if post is None:
            return False
        if post.author == viewer or (viewer, post.author) in self.follows:
            return True
        head = self.posts.get(post.root, post)  # an answer has the audience of its thread
        if head.audience in ("friends", "circle") and (viewer, post.author) in self.friends:
            return True  # friends have each other's, whether or not they follow
        return any((viewer, one) in self.follows for one in self.reposts[post_id]) or (
            viewer in self.reposts[post_id]
        )

    # Changing

    def publish(self, post: Post) -> None:
        if post.post_id not in self.posts:
            self.numbers += 1
            post.number = self.numbers
            self.posts[post.post_id] = post
            self.posts_of[post.author].append(post)

    def follow(self, one: str, other: str) -> None:
        self.asks.discard((one, other))
        self.follows.setdefault((one, other), self.numbers)

    def unfollow(self, one: str, other: str) -> None:
        self.follows.pop((one, other), None)

    def befriend(self, one: str, other: str) -> None:
        self.friend_asks -= {(one, other), (other, one)}
        self.friends |= {(one, other), (other, one)}

    def unfriend(self, one: str, other: str) -> None:
        self.friends -= {(one, other), (other, one)}
        self.circled.pop((one, other), None)
        self.circled.pop((other, one), None)

    def block(self, one: str, other: str) -> None:
        self.unfriend(one, other)
        for pair in ((one, other), (other, one)):
            self.follows.pop(pair, None)
            self.asks.discard(pair)
            self.friend_asks.discard(pair)
        self.blocks.add((one, other))

    def erase(self, user_id: str) -> None:
        """Nothing of a person is left."""
        self.people[user_id].state = "erased"
        gone = {post_id for post_id, post in self.posts.items() if post.author == user_id}
        for post_id in gone:
            self.delete(post_id)
        for pairs in (self.asks, self.friends, self.friend_asks, self.blocks, self.mutes):
            pairs -= {pair for pair in pairs if user_id in pair}
        self.follows = {pair: n for pair, n in self.follows.items() if user_id not in pair}
        self.circled = {pair: c for pair, c in self.circled.items() if user_id not in pair}
        self.saves = {pair for pair in self.saves if pair[0] != user_id}
        for who in (*self.likes.values(), *self.reposts.values()):
            who.discard(user_id)

    def delete(self, post_id: str) -> None:
        self.posts[post_id].is_gone = True
        self.likes.pop(post_id, None)
        self.reposts.pop(post_id, None)

    def living(self) -> list[Person]:
        return [one for one in self.people.values() if one.is_here]
