"""Posts in English."""

from socialsite.demo.texts.en_words import WORDS
from socialsite.demo.texts.language import Language, read_posts

POSTS = """
The sourdough finally has an ear. I have been baking for three years and today I did a small
dance in the kitchen, alone, with flour on both elbows. 🍞
%
Question for the cyclists here: what do you do with cold feet below five degrees? Thicker socks
only make my shoes tighter. #cycling
%
Spent the whole afternoon hunting a bug that turned out to be a missing comma. Spent the evening
writing a test so that nobody ever loses an afternoon to that comma again. #code
%
My grandmother's rule for soup: if you think it is finished, give it ten more minutes and call
somebody you love.
%
The 06:42 train has a conductor who announces every station as if it were the place he had been
looking for all his life. I get off at a parking lot and feel like an explorer. 🚆
%
First tomato of the year! It is the size of a marble and I am prouder than I was on graduation
day. 🍅 #garden
%
I read the last forty pages standing up because the kettle was boiling and I could not put the
book down. The kettle boiled dry. The book was worth it. #books
%
Rain on a tent roof is the best sound there is, provided the tent is not yours and you are
inside.
%
Today a six-year-old asked me why the moon follows our car.

I explained distance and angles and parallax. She listened politely and said: "I think it just
likes us."

I have no further questions. 🌙 #science
%
Somebody practises the cello two floors up. In March it was scales. Now it is a melody with one
wrong note, always the same. I have begun to miss that note when it is right.
%
Small joy of the day: the library had the second volume.
%
@bob you were right about the tyres. I was wrong. Please frame this post, it will not happen
again.
%
Recipe for a grey Tuesday:

| – one onion, slowly
| – two carrots, not slowly
| – a tin of beans
| – all the paprika you own
| – the good bread

Serves one person twice.
%
If you water the ferns at my office window: thank you, whoever you are. They were dying and now
they are taking over the printer. 🌿
%
Does anybody else name their houseplants? Asking for Gerald, who is looking a bit pale this
week.
%
Learned today that octopuses taste with their arms. Imagine knowing the flavour of every
doorknob. 🐙 #science
%
Rode 80 kilometres to eat one slice of cake. Rode 80 kilometres home to have earned the slice of
cake. The maths is simple and I will not discuss it. 🚴
%
Fog this morning, so thick that the church tower had no top and the dog had no front.
%
I keep a list of words I like. Today's: petrichor, haberdashery, thimble, lull. Which ones are
on yours?
%
We moved the piano. Three friends, two straps, one staircase, and a neighbour who shouted
"pivot" until we all had to sit down laughing. Nothing broke but our dignity. 🎹
%
Pair programming tip: let the person who knows less have the keyboard. It is slower for an hour
and faster for a year. #code
%
The swifts are back. I heard them before I saw them and spilled coffee on the balcony rail to
prove it.
%
Looking for a novel in which nothing terrible happens to the dog. Recommendations very welcome.
#books
%
My father has discovered voice messages. He begins every one with "Hello, this is your father",
like a man calling from a ship.

I have saved all of them.
%
Fixed the dripping tap by myself with a rubber ring that cost forty cents. I will be talking
about this until Christmas. 🔧
%
Wrote down how I make my lentil stew, since three people asked: https://example.org/lentil-stew
Short version: more lemon than you think.
%
Night shift thought: the city at four in the morning belongs to bakers, nurses, and one very
confident fox. 🦊
%
An old man on the platform was reading a timetable from 1987. "It is more punctual," he said.
#trains
%
I planted garlic in October and forgot it entirely. It did not forget me. Forty heads! Who wants
garlic?
%
What was the first song you learned by heart? Mine was the jingle of a carpet shop. I still know
the opening hours.
%
Deleting code is the only kind of cleaning I enjoy. Minus 1,204 lines today and everything still
works. ✨
%
@carol the dumplings worked! Not pretty, a few were more like envelopes, but there is not one
left. Thank you for staying on the phone. 🥟
%
The thunderstorm came exactly when the orchestra in the park reached the loud part. Nobody
moved. We got soaked, and the timpani player grinned like a child. #music
%
Tried to explain recursion to my sister. To do so, I first had to explain recursion to my
sister.
%
A wren has built a nest in my bicycle helmet. I suppose I am walking until June. 🐦
%
There should be a word for the moment when you come home from a trip and your own hallway smells
like somebody else's.
%
Three things that cost nothing and are always worth it: calling ahead, writing the date on the
jar, saying "I do not know yet".
%
Good morning to everybody who got up early and to the cat who made them do it. ☀️
%
Second-hand bookshop find: a cookbook in which someone has rated every recipe in pencil. The
plum cake got "yes!!". The fish pie just says "Why, Harold."
%
I told the children we would count ten kinds of yellow on the walk. We stopped at thirty-one, at
dusk, arguing about whether mustard and ochre are the same. 💛
%
Unpopular opinion: the heel of the loaf is the best slice.
%
Our village choir has eleven sopranos, six altos, one bass, and a tenor who comes when the
football is over. We sang anyway. It was lovely. 🎶
%
For those asking: yes, the allotment has a waiting list, yes, it is seven years, and yes, I
cried a little when the letter came today. 🌱
%
Watched the partial eclipse through a colander. Two hundred little crescents on the pavement,
and strangers who stopped to look. #astronomy
%
Packing list, final version: the things I need. Packing list, real version: four books for a
weekend.
%
My code review today said "This is clear, thank you." I have read it six times.
%
How do you keep basil alive for longer than two weeks? I have tried light, shade, praise and
threats.
%
A stranger on the bus was knitting a very long scarf. I asked who it was for. "No idea," she
said, "but I shall know them by the neck." 🧣
%
It snowed on the cherry blossom last night. By noon both were on the ground and you could not
tell one from the other. 🌸❄️
%
Repair café this Saturday, town hall, from ten. Bring the lamp, the toaster, the radio that only
gets one station. We have tea and too many screwdrivers: https://example.org/repair-cafe
%
I used to run to get faster. Now I run to see whether the heron is still there. The heron is
still there.
%
Tip from a retired postwoman: walk on the side of the street where the dogs are asleep. I think
about that more often than I expected.
%
New personal record: 9 minutes between "I will just look something up" and knowing everything
about lighthouses. 🗼
%
My daughter's first sentence in her diary: "Today nothing happened and it was nice."
%
Anyone else in for a read-along in November? One long book, fifty pages a week, kind opinions
only. Say hello below and I will put a schedule together. 📚 #readalong
%
Swam in the lake before work. Water: 14 degrees. Vocabulary on entry: limited. Mood ever since:
unreasonable. 🏊
%
The pump at the corner of the park has a new handle. Somebody cared enough to make it out of ash
wood and sand it smooth. Small public things done well make me strangely hopeful.
%
The mechanic looked at my bicycle for a long time and then asked, very gently, "Do you two live
near the sea?" #rust
%
I missed the last train and walked home along the river: eleven kilometres, one owl, two
bridges, a bakery that sold me a warm roll through the side door at five.

I have had worse plans. 🥐
%
Just finished the jigsaw. One piece is missing. The dog is avoiding eye contact. 🧩
%
Do you put the milk in first? No wrong answers. (There is one wrong answer.)
%
My phone says I walked 19,000 steps today. My phone does not know that it was in the pocket of
the coat I lent to my sister.
%
Measured the Earth's curvature with two sticks and a friend 600 kilometres south, like in the
old days. We were off by four percent. Four! With sticks! 📐 #science
%
My neighbour is ninety-one and has never owned a computer. Last week she asked me to print "the
internet page about roses". I asked which one. She said: "The good one."

We looked for it together all afternoon, with biscuits. We did not find the good one, so she
dictated and I typed, and now it exists. Four pages, eleven roses, two warnings about her late
husband's pruning. It really is the good one.
%
The night bus broke down between two villages. Fourteen people, one driver, no signal.

First everybody looked at their phones. Then someone unpacked sandwiches, somebody else had a
thermos, and a boy with a trumpet case was asked the obvious question.

When the new bus came an hour later, the driver had to wait until the end of the song. 🎺
%
Notes from my first year of keeping bees:

| 1. They do not care about your schedule.
| 2. They can tell when you are in a hurry.
| 3. You will begin to notice every lime tree in town.
| 4. You will talk about it at parties.
| 5. People will move away from you at parties.
| 6. One of them will stay and ask a question, and you will have a friend for life. 🐝
%
What I like about gardening: nothing answers quickly, and hardly anything is final.
"""

LANGUAGE = Language("en", read_posts(POSTS), WORDS)
