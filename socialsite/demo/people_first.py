"""The people written by hand.

Two lines each: `handle | name | language | place`, and below it the bio.
"""

PEOPLE = """
alice | Alice Moreau 🍞 | en | Bristol
Bread, old bicycles, patient computers. I also fix whatever "was like this when I came".
bob | Bob Lindner | de | Leipzig
Fahrradwerkstatt am Brunnen. Wenn es quietscht, hat es Durst. Dienstags bis 20 Uhr.
carol | Carol Chen 陈可乐 | zh | Singapore · 苏州
Dumplings in two languages 🥟 翻译，做饭，爱热闹。English before breakfast, 中文 after.
mod | Mo of the Moderators 💚 | en | Right here
I look after this place with three others. Report what hurts; a human reads it. Tea, always.
old_tom | Tom Ashdown | en | Leeds
Retired lock keeper. Canals, herons, crosswords in pen.
priya_stars | Priya Raman ✨ | en | Chennai
Astronomer who also likes clouds. Ask me anything about the night sky, even twice.
tomasz_dev | Tomasz Wrona | en | Kraków
Back-end developer. I collect bugs with a good ending. Two cats, both called Null.
nell_knits | Nell 🧶 | en | Orkney
Wool, wind and radio plays. I knit for strangers on buses.
kofi_cooks | Kofi Mensah | en | Accra
Chef on weekdays, guest on Sundays. Pepper is a love language. 🌶️
june_allotment | June Whitlock | en | Sheffield
Plot 17. Seven years on the waiting list, three on my knees. Garlic to give away.
sam_trumpet | Sam Okafor 🎺 | en | Chicago
Night shifts at the hospital, trumpet in the stairwell. The echo is free.
marigold | Marigold Pike | en | Wellington
Librarian. I will find you a novel in which the dog is fine.
anneke_b | Anneke Brandt | de | Hamburg
Kapitänin einer Hafenfähre. Nebel ist mein Kollege. Moin. ⚓
jo_stellwerk | Johannes Stell 🚂 | de | Kassel
Eisenbahner in dritter Generation. Sammelt Fahrpläne und glaubt ihnen trotzdem.
gruene_gerda | Gerda Mooshammer | de | Graz
Biologielehrerin, Moosfreundin. 43 Fotos pro Wanderung, Menschen sind keine drauf. 🌿
emir_kocht | Emir Sandner | de | Wien
Kochen ohne Rezept, rechnen ohne Taschenrechner. Papa von zwei Testessern.
lotte | Lotte vom Chor | de | Bern
Alt 2. Triangel im Notfall. Marmelade gegen Strickhilfe.
camille | Camille Roussel | fr | Nantes
Carnets de trains de nuit. Je dessine les gens qui dorment, avec tendresse. 🚆
papi_leon | Papi Léon 🎻 | fr | Dijon
82 ans, débutant au violon. On n'a plus le temps d'être mauvais en secret.
amina_livres | Amina Diallo | fr | Dakar
Libraire ambulante. Ma camionnette sent le papier et la mangue. 📚
lucia | Lucía Herrera | es | Valencia
Balcón de dos metros, selva de tres. Tomates, poemas y siesta. 🍅
nico_bici | Nico Paredes 🚴 | es | Bogotá
Ciclista de subida y panadero de bajada. Cuento arcoíris.
abuela_marta | Marta (la abuela) | es | Rosario
La sal, con cariño. El aceite, sin miedo. Mi nieta me instaló esto.
ze_da_praia | Zé Carvalho | pt | Florianópolis
Pescador aposentado, contador de histórias em atividade. 🌊
bia_codigo | Bia Nogueira | pt | Recife
Programadora, sambista, mãe de um gato que manda na horta. 🐈
rita_azul | Rita Azul | pt | Porto
Restauro azulejos. O azul nunca é só um.
lin_laoshi | 林老师 | zh | 成都
小学科学老师。孩子们的问题比我的答案有意思。
xiaoyu | 小雨 🌧️ | zh | 杭州
写代码，养绿萝，收集旧书里的车票。
laozhou | 老周骑车去 | zh | 昆明
退休邮递员，环湖骑行三百圈。逆风也是风景。🚲
haruka | 森田はるか 🎹 | ja | 金沢
駅のピアノと終点の喫茶店が好きです。ゆっくり書きます。
kenji_pan | 健二のパン | ja | 札幌
夜中に焼くパン屋。午前一時の食パン会議、議長。🍞
sora_ame | そら | ja | 京都
雨の日の本と苔の写真。猫は二匹、名前は味噌と塩。
minji | 김민지 | ko | 서울
막차를 놓치면 걷는 사람. 기타 백 일째, 마음은 말랑. 🎸
harabeoji | 박 할아버지 🌕 | ko | 전주
손주에게 달 이야기를 들려줍니다. 띄어쓰기 연습 중.
layla | ليلى حداد 🌿 | ar | عمّان
معلّمة وبستانية على شرفة صغيرة. ثلاث نعناعات وعصفور واحد.
abu_salim | أبو سليم | ar | طرابلس
نجّار متقاعد يتعلّم العود من جديد. الصبر خشب جيد.
nour_sky | نور ✨ | ar | الرباط
أحب القمر والبرمجة والقهوة بالهيل، بهذا الترتيب.
noa_reads | נועה בן־חיים 📚 | he | חיפה
ספרנית ששומרת לכם את הכרך השני. ים לפני העבודה.
dudu | דודו האופה | he | ירושלים
חלות עקומות, ריח מושלם. 🍞 לומד קלרינט, סליחה לשכנים.
meera | मीरा जोशी 🪁 | hi | जयपुर
छत पर टमाटर, दिल में पतंग। बच्चों को विज्ञान पढ़ाती हूँ।
chacha_ji | चाचा जी तबले वाले | hi | वाराणसी
रोज़ शाम छह बजे तबला। दाल भी ताल में उबलनी चाहिए।
vera_dacha | Вера Лугова | ru | Тверь
Яблони, варенье, длинные письма. Кот Аркадий читает через плечо. 🐈
misha_trains | Миша Сотников 🚆 | ru | Иркутск
Проводник поездов дальнего следования. Чай в подстаканнике и истории попутчиков.
olena | Олена Гай 🌻 | uk | Полтава
Соняшники, бандура і тестування програм. Помилки знаходять мене самі.
did_petro | Дід Петро | uk | Косів
Велосипед знає стежки, я не заважаю. Роблю сир і ложки з липи.
eleni | Ελένη Μαρκάκη | el | Χανιά
Καΐκια, γάτες, φασολάδα. Δασκάλα σε μικρό νησί. ☀️
deniz | Deniz Aksoy 🌊 | tr | İzmir
Vapurda çay içmek için karşıya geçen kişi. Keman dinler, simit bölüşür.
an_pho | Nguyễn Thu An 🍜 | vi | Hà Nội
Dậy sớm vì mùi quế của bà ngoại. Cô giáo, thích mưa và xe đạp.
"""


def read_people(block: str) -> tuple[tuple[str, str, str, str, str], ...]:
    """Read the entries as (handle, name, language, place, bio)."""
    lines = block.strip().splitlines()
    entries = []
    for head, bio in zip(lines[::2], lines[1::2], strict=True):
        handle, name, language, place = (part.strip() for part in head.split("|"))
        entries.append((handle, name, language, place, bio))
    return tuple(entries)


FIRST_PEOPLE = read_people(PEOPLE)
