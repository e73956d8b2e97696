"""Ten million people in numbers: who follows whom, when they come, what they do. All of it is assumed; where someone
counted it elsewhere, that is named."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

# Of Twitter's followers in 2009: Kwak, Lee, Park and Moon, "What is Twitter, a social network or a news media?", WWW
# 2010.
EXPONENT = 2.276  # that someone has k followers is as likely as k to the power of minus this
MINUTES = 24 * 60
EVENING = 20 * 60  # the busiest minute of the day, in UTC


@dataclass(frozen=True, slots=True)
class People:
    """So many accounts, of whom the best known has `most` followers."""

    count: int
    most: int

    @property
    def falls(self) -> float:
        """Returns how followers fall with rank: the second best known has 2 to the power of minus this as many."""
        return 1 / (EXPONENT - 1)

    def followers(self, rank: float) -> float:
        """Returns how many follow the one of this rank, 1 for the best known."""
        return self.most * rank**-self.falls

    def rank_of(self, followers: float) -> float:
        """Returns how many people have so many followers or more."""
        return float((self.most / followers) ** (1 / self.falls))

    def edges(self, ranks: float) -> float:
        """Returns how many follows lead to the best known so many. The first thousand are added up, the rest is the
        integral."""
        first = min(int(ranks), 1000)
        exact = sum(self.followers(rank) for rank in range(1, first + 1))
        power = 1 - self.falls
        rest = self.most * ((ranks + 0.5) ** power - (first + 0.5) ** power) / power
        return exact + (rest if ranks > first else 0)

    def mean_between(self, least: float, most: float) -> float:
        """Returns how many followers people with so many have, on average."""
        above, among = self.rank_of(most), self.rank_of(least)
        return (self.edges(among) - self.edges(above)) / (among - above)

    @property
    def followed_each(self) -> float:
        """Returns how many people someone follows."""
        return self.edges(self.count) / self.count

    @property
    def pulled(self) -> float:
        """Returns how many people have so many followers that their posts are not fanned out."""
        return self.rank_of(settings.PULL_ABOVE)

    @property
    def pulled_each(self) -> float:
        """Returns how many of these someone follows."""
        return self.edges(self.pulled) / self.count

    @property
    def star_share(self) -> float:
        """Returns the share of people who follow the best known one."""
        return self.most / self.count


TEN_MILLION = People(10_000_000, 5_000_000)


def day_curve(peak: float) -> Iterator[float]:
    """Yields for each minute of a day how many times the mean it is: a long low at night, a high at noon and a higher
    one in the evening. At its height an event brings everyone at once, which makes it `peak` times the mean."""
    plain = [_plain(minute) for minute in range(MINUTES)]
    mean = sum(plain) / MINUTES
    extra = peak - plain[EVENING] / mean
    for minute, value in enumerate(plain):
        away = abs(minute - EVENING)
        yield value / mean + extra * math.exp(-((away / 15) ** 2))


def _plain(minute: int) -> float:
    turn = 2 * math.pi * (minute - EVENING) / MINUTES
    return 1 + 0.65 * math.cos(turn) + 0.2 * math.cos(2 * turn)


@dataclass(frozen=True, slots=True)
class Habit:
    """What an active person does so many times a day, and why that often."""

    behaviour: str
    times: float
    what: str


PAGES, PULSES = 30, 120  # as in the bill (`costs/bill.py`)
POSTS, LIKES, FOLLOWERS = 1, 10, 150  # as in the tables of docs/scale.md
PULLED_POSTS = 3  # of a widely followed author on a day
OWN_HOME = 0.8  # share of their pages that are Home
AT_HOME = 0.5  # share of open pages that are Home


def merging() -> float:
    """Returns the share of home pages that find something new of widely followed authors."""
    news = TEN_MILLION.pulled_each * PULLED_POSTS / (PAGES * OWN_HOME)
    return 1 - math.exp(-news)


def habits() -> list[Habit]:
    home = PAGES * OWN_HOME
    return [
        Habit(
            "home", home * (1 - merging()), "home pages with nothing new of widely followed authors"
        ),
        Habit("home that merges", home * merging(), "home pages with something new of them"),
        Habit("thread", 3, "posts with their replies"),
        Habit("profile", 1.5, "pages of people"),
        Habit("notifications", 1, "lists of notifications"),
        Habit("look for people", 0.5, "lists of people to follow that are a day old"),
        Habit("look at the local timeline", 0.3, "pages of everyone’s posts"),
        Habit("look at a tag", 0.1, "pages of a tag"),
        Habit("search", 0.1, "searches"),
        Habit("pulse", PULSES * AT_HOME, "questions of an open Home for news"),
        Habit("pulse elsewhere", PULSES * (1 - AT_HOME), "the same of other open pages"),
        Habit("hear of news", 14, "five minutes of an open page that is told of news"),
        Habit("first page of a day", 1, "the day’s first page, which notes the day"),
        Habit("sign in", 0.05, "sign-ins"),
        Habit("sign up", 0.002, "new accounts"),
        Habit("publish", POSTS * 0.56, "posts"),
        Habit("publish to many", POSTS * 0.03, "posts of authors with 500 to 5,000 followers"),
        Habit("publish to very many", POSTS * 0.01, "posts of authors with more"),
        Habit("publish with a tag", POSTS * 0.1, "posts with a tag, beside their fan-out"),
        Habit("reply", POSTS * 0.3, "replies"),
        Habit("like", LIKES, "likes"),
        Habit("follow someone", 0.3, "follows"),
        Habit("follow a star", 0.1, "follows of a widely followed author"),
        Habit("follow that is pushed", 0.1, "follows that are told on a device"),
        Habit("vote", 0.2, "votes in polls"),
        Habit("message", 2, "messages to one person"),
        Habit("message to a group", 0.3, "messages to a group of ten"),
        Habit("look for messages", 20, "looks for news in an open conversation"),
        Habit("report", 0.001, "reports"),
    ]
