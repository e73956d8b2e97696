"""Stories told in several posts, and the one post that everybody likes."""

from dataclasses import dataclass

from socialsite.demo.texts.language import read_posts


@dataclass(frozen=True)
class DemoThread:
    """Posts of one author; each one answers the post before it."""

    handle: str
    posts: tuple[str, ...]


HOT_HANDLE = "alice"
HOT_POST = (
    "The old baker in our street closes his shop on Friday, after 51 years. This morning there was"
    " a notebook on the counter: all his recipes, by hand, free to copy.\n\n"
    '"Bread should not retire," he said.\n\n'
    "We were nineteen people, copying, with flour on every page. 🍞💛"
)

FERMENT = """
How to begin a sourdough starter when you have no patience, in four posts. 🧵🍞
%
1. Mix two spoons of rye flour with two spoons of water. Give it a name. You will be more reliable
if it has a name. Mine is called Margaret.
%
2. Each day take half away and feed it again. On day two it smells of wet dog. On day three of
nothing. Do not give up on day three; everybody gives up on day three.
%
3. On day five it doubles while you are not looking. Put a rubber band around the jar, so that you
can prove it to your family.
%
4. Bake. The first loaf will be flat. Eat it warm, with butter, standing up. Congratulations, you
are somebody who bakes bread now.
"""

LAKE = """
Kurzer Bericht von der Seerunde: zwölf Leute, ein Tandem, ein Dackel im Korb. 🚲
%
Bei Kilometer 20 der erste Platten. Acht Personen wussten, wie man ihn flickt. Das hat es nicht
schneller gemacht.
%
Bei Kilometer 40 die Kuchenpause. Der Wirt hatte mit vier Leuten gerechnet und hat dann einfach alle
Bleche rausgetragen. Danke!
%
Zurück am Brunnen um 17 Uhr. Der Dackel hat als Einziger nicht geschwitzt. Nächste Runde im Mai, ich
sage Bescheid.
"""

DUMPLINGS = """
A small dumpling school, 三步就会。🥟 First: the dough rests 半小时, and so do you.
%
第二步：馅要朝一个方向搅。Always the same direction. I do not know why it works, 但我外婆说的都对。
%
第三步：包。Ugly ones taste the same. 煮到都浮起来，再等一分钟。
%
Last step: call someone. 一个人吃饺子，是不够热闹的。
"""

COMET = """
For everyone who wants to see the comet this week: you need no telescope, only a dark place and a
warm hat. ☄️
%
Look west about an hour after sunset, two hands above the horizon. Look a little beside it, not
straight at it: the edge of the eye sees better in the dark.
%
It will not come back for 6,800 years. Take somebody along who is still small. They will tell it to
people you will never meet.
"""

NIGHT_TRAIN = """
Carnet d'un train de nuit. 22 h 10 : quatre inconnus, quatre sandwichs, un silence poli. 🚆
%
23 h 30 : quelqu'un demande qui ronfle. Personne n'ose jurer que non. On rit, le silence est fini.
%
5 h 50 : la mer, d'un coup, à gauche. On s'est réveillés les uns les autres, à voix basse, comme en
famille.
%
7 h 05 : sur le quai, on s'est serré la main. Je ne connais que leurs prénoms et la façon dont ils
regardent la mer.
"""

GARDEN = """
Diario de un balcón, día 1: tres semillas de tomate en una taza sin asa. 🌱
%
Día 40: dos metros de planta. La barandilla ha desaparecido. El vecino de arriba pregunta si puede
regar con una pajita.
%
Día 75: primer tomate. Lo partimos en seis, con sal, en silencio, como quien escucha un himno. 🍅
"""

BUG = """
A bug story in four posts. Monday: every night at 02:17 our report is empty. Only on Mondays. Only
in one city. 🐛
%
Tuesday: I read all the code. The code is innocent. I start to look at the calendar instead.
%
Wednesday: I phone the office there. A friendly voice says: "Oh, at two we unplug it, to vacuum."
%
Thursday: we sent them an extension lead, with a bow. Not everything is software. #code
"""

PIANO = """
駅にピアノが置かれて一週間。毎朝七時四十分に、同じ小学生が一曲だけ弾いていく。🎹
%
三日目から、会社員のおじさんが隣で待つようになった。楽譜のページをめくる係らしい。
%
今日は二人の連弾だった。電車を一本見送った人が、私のほかに十人はいた。
"""

WELCOME = """
New here? Three things that make this place nicer. First: fill in your bio. One true sentence is
enough.
%
Second: follow people who are not like you. Twenty is a good number to begin with; you can always
change your mind.
%
Third: answer somebody today. A reply is worth ten likes, and a question is worth ten replies. 💚
"""

HERON = """
Birdwatching notes from the canal, week one: a heron stands on the shopping trolley in the water. I
name him Trolley.
%
Week two: Trolley is still there. A jogger now greets him. A cyclist rings twice. 🚴
%
Week three: the council wanted to remove the trolley. Forty people wrote letters.
%
Week four: the trolley stays. There is a little sign. Trolley has read it, I believe, and approves.
"""

STORIES = {
    "alice": FERMENT,
    "bob": LAKE,
    "carol": DUMPLINGS,
    "mod": WELCOME,
    "priya_stars": COMET,
    "camille": NIGHT_TRAIN,
    "lucia": GARDEN,
    "tomasz_dev": BUG,
    "haruka": PIANO,
    "old_tom": HERON,
}


def demo_threads() -> list[DemoThread]:
    """The stories, with the handles of the first people who tell them."""
    return [
        DemoThread(handle, read_posts(block, joiner="" if handle == "haruka" else " "))
        for handle, block in STORIES.items()
    ]
