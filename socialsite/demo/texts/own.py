"""Posts that only the first people would write, the one to appear first at the front."""

from socialsite.demo.texts.language import read_posts

ALICE = """
Hello everybody! I am Alice. I bake bread, I ride a bicycle that is older than me, and I fix
computers for people who say "it was like this when I came". Happy to be here. 🍞
%
Bread journal, day 4: the starter has doubled. It also pushed the lid off and is now exploring the
kitchen.
%
@bob I found your bicycle bell in my bread basket. I have stopped asking questions.
%
Who wants to bake together on Sunday, everyone in their own kitchen? Ten o'clock, plain white loaf,
photos of all disasters required. #sundaybread
%
The loaf of the week is rye with apple. It looks like a stone and tastes like October. 🍎
%
A kind reader asked for the recipe on one page. Here it is, with drawings:
https://example.org/one-page-bread
"""

BOB = """
Hallo zusammen! Ich bin Bob, ich repariere Fahrräder und erzähle ihnen dabei Geschichten. Sie laufen
danach besser. 🚲
%
Heute ein Rad von 1961 wieder zum Laufen gebracht. Die Besitzerin (88) ist sofort eine Runde um den
Brunnen gefahren. Freihändig.
%
@alice Die Klingel gehört in den Brotkorb. So weiß ich, wann das Brot fertig ist.
%
Faustregel: Wenn es quietscht, hat es Durst. Gilt für Ketten und für Kollegen.
%
Am Samstag fahre ich die große Seerunde, 62 Kilometer, gemütlich, mit Kuchenpause. Wer kommt mit?
Start um neun am Brunnen. #seerunde
%
@carol Dein Rad ist fertig. Ich habe auch das kleine Glöckchen wieder angeschraubt.
"""

CAROL = """
Hi, I'm Carol 你好！I think in two languages and cook in three. 早饭说中文，晚饭说 English,
午饭看心情。🥟
%
今天教同事们包饺子。One of them looks like a hat, one like a boat, 还有一个像 @bob 的自行车座。
%
Untranslatable word of the day: 热闹. Noisy, warm, full of people, and you do not want to leave.
%
妈妈问我在这里有没有好好吃饭。I sent her a photo of the soup. She sent back a list of corrections.
%
@alice 你的面包 + 我的芝麻酱 = best breakfast of the year. 明天还来。🍞
%
Reading tip: the first page in one language, 第二页换一种。慢一点，but everything stays longer. #读书
"""

MOD = """
Welcome! I am one of the people who look after this place. If something hurts or worries you, report
it; a human reads every report. 💚
%
House rule number one, the only one that really matters: write as if the other person were sitting
in your kitchen.
%
Small reminder: blocking somebody is not rude. It is a door, and it is your door.
%
Thank you all for a peaceful week. Eleven reports, nine of them about the same pun. The pun stays.
"""

OWN_POSTS: dict[str, tuple[str, ...]] = {
    "alice": read_posts(ALICE),
    "bob": read_posts(BOB),
    "carol": read_posts(CAROL),
    "mod": read_posts(MOD),
}
