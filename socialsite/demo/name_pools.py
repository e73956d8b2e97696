"""Parts of invented people, by language: names, places, and what they like.

A name in another script carries its Latin form for the handle: `はるか=haruka`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class NamePool:
    """The parts from which people of one language are put together."""

    weight: int
    given: tuple[str, ...]
    family: tuple[str, ...]
    places: tuple[str, ...]
    likes: tuple[str, ...]
    family_first: bool = False


def read_pool(
    weight: int, given: str, family: str, places: str, likes: str, family_first: bool = False
) -> NamePool:
    """Read a pool from text: names parted by spaces, places and likes by commas."""
    return NamePool(
        weight,
        tuple(given.split()),
        tuple(family.split()),
        read_list(places),
        read_list(likes),
        family_first,
    )


def read_list(text: str) -> tuple[str, ...]:
    """Split at commas; a line break in the text is a space."""
    return tuple(" ".join(part.split()) for part in text.split(","))


POOLS: dict[str, NamePool] = {
    "en": read_pool(
        30,
        """Ada Arthur Beth Callum Daisy Dylan Edith Ewan Fern Finn Grace Harvey Hazel Iris Isaac
        Ivy Jasper Kit Leo Mabel Maya Nina Noah Olive Oscar Poppy Ravi Rosa Rory Ruth Silas Tess
        Theo Uma Violet Wren Zadie Zain""",
        """Abbott Ainsley Barlow Bexley Calder Cole Dunmore Ellery Fairburn Finch Garner Hartley
        Holt Iverson Juniper Kestrel Langley Marsh Mercer Norwood Oakes Penrose Quill Ridley Rowan
        Sandhu Sorrell Thorne Underhill Vale Wexley Winslow Yardley""",
        """York, Galway, Cardiff, Glasgow, Portland, Toronto, Halifax, Cape Town, Nairobi, Auckland,
        Perth, Pune, Boston, Bath, Cork, Austin""",
        """slow trains, sourdough, birdsong, old maps, board games, choir practice, cold swimming,
        tidy code, secondhand books, allotments, radio plays, long walks, fixing lamps, jigsaw
        puzzles, ferns, cello, night skies, pickles, postcards, rain""",
    ),
    "de": read_pool(
        14,
        """Anton Berta Clara David Elif Emil Frieda Greta Hannes Ida Jakob Jonas Karla Lena Lukas
        Malte Mara Mia Nils Paula Rosa Selma Thea Till Uta Wanda Yusuf""",
        """Ackermann Birkner Dornbach Eichler Falkner Grünwald Hagedorn Imhof Jansen Kessler
        Lindauer Morgenroth Nussbaum Ostermann Petersen Quandt Rosental Sommerfeld Tannert Uhland
        Vogelsang Winterberg Yildiz Zeidler""",
        "Bremen, Dresden, Freiburg, Köln, Linz, Lübeck, Münster, Salzburg, Zürich, Jena, Ulm, Kiel",
        """Brotbacken, Nachtzüge, Moos, Chorsingen, Radtouren, Brettspiele, Hörspiele, Gartenarbeit,
        Flohmärkte, Sternegucken, Stricken, alte Karten, Wandern, sauberer Code, Suppen, Briefe""",
    ),
    "zh": read_pool(
        14,
        """小明=xiaoming 静怡=jingyi 子涵=zihan 雨桐=yutong 浩然=haoran 思源=siyuan 佳琪=jiaqi 文博=wenbo
        晓梅=xiaomei 志远=zhiyuan 若兰=ruolan 天宇=tianyu 欣悦=xinyue 建国=jianguo 书瑶=shuyao 一帆=yifan
        可心=kexin 春华=chunhua""",
        """王=wang 李=li 张=zhang 刘=liu 陈=chen 杨=yang 黄=huang 赵=zhao 周=zhou 吴=wu 徐=xu 孙=sun
        马=ma 朱=zhu 胡=hu 林=lin 郭=guo 何=he 高=gao 罗=luo""",
        "北京, 上海, 广州, 成都, 杭州, 西安, 南京, 武汉, 厦门, 青岛, 大理, 哈尔滨",
        "骑行, 做饭, 养花, 读书, 编程, 看云, 老火车, 书法, 二胡, 爬山, 喝茶, 摄影, 养猫, 观星, 早市",
        family_first=True,
    ),
    "fr": read_pool(
        8,
        """Adèle Basile Céleste Cyprien Elsa Fanny Gaspard Inès Joséphine Léa Lucien Malo Margot
        Noémie Odile Raphaël Rose Samir Tiphaine Yann Zoé""",
        """Aubry Bellanger Chastain Delorme Fabre Garnier Hamon Jolivet Keller Lacombe Marchetti
        Nadeau Pasquier Renaudin Sabatier Tessier Vasseur Verdier""",
        "Lyon, Lille, Rennes, Toulouse, Genève, Liège, Québec, Abidjan, Marseille, Annecy",
        """pain au levain, trains de nuit, jardinage, aquarelle, vélo, romans policiers, fromages,
        chant choral, étoiles, marchés, tricot, cartes anciennes, code propre""",
    ),
    "es": read_pool(
        10,
        """Alba Bruno Carmen Dario Elena Félix Gael Inés Joaquín Julia Lola Mateo Nerea Olivia Pablo
        Quique Rocío Sofía Teo Valeria Ximena""",
        """Aguilar Benítez Cordero Durán Espino Fuentes Galván Ibarra Lozano Montes Navarro Olmedo
        Palacios Quiroga Rivas Salinas Toledo Vidal Zamora""",
        "Sevilla, Bilbao, Lima, Quito, Oaxaca, Medellín, Montevideo, Córdoba, Granada, Cusco",
        """pan casero, bicicletas, huerto, poesía, guitarra, trenes, estrellas, cafés largos,
        novelas, senderismo, cerámica, ajedrez, código limpio""",
    ),
    "pt": read_pool(
        6,
        """Antônio Beatriz Caio Dora Elisa Francisco Gil Helena Iara Joana Luan Marina Nuno Otávio
        Rafaela Tainá Vicente""",
        """Almeida Barros Cardoso Duarte Esteves Faria Guedes Leal Macedo Nunes Pacheco Queirós
        Ramalho Sampaio Teixeira Valente""",
        "Lisboa, Salvador, Coimbra, Curitiba, Belém, Maputo, Olinda, Braga, Fortaleza",
        """samba, bolo de fubá, bicicleta, orquídeas, leitura, praia cedo, azulejos, trens, violão,
        hortas, xadrez, estrelas""",
    ),
    "ja": read_pool(
        8,
        """葵=aoi 陽菜=hina 大輝=daiki 結衣=yui 蓮=ren 美咲=misaki 悠真=yuma 桜=sakura 拓海=takumi 凛=rin
        直樹=naoki 千尋=chihiro 翔太=shota 紬=tsumugi""",
        """佐藤=sato 鈴木=suzuki 高橋=takahashi 田中=tanaka 伊藤=ito 山本=yamamoto 中村=nakamura
        小林=kobayashi 加藤=kato 吉田=yoshida 松本=matsumoto 井上=inoue 木村=kimura 清水=shimizu""",
        "東京, 大阪, 仙台, 福岡, 広島, 長野, 松山, 那覇, 函館, 奈良",
        "散歩, 喫茶店, 苔, 鉄道, 読書, パン作り, 自転車, 星空, ピアノ, 家庭菜園, 猫, 写真, 将棋",
        family_first=True,
    ),
    "ko": read_pool(
        5,
        """서연=seoyeon 지훈=jihun 하은=haeun 도윤=doyun 수아=sua 예준=yejun 지우=jiwoo 은서=eunseo
        현우=hyunwoo 나래=narae 보라=bora""",
        """김=kim 이=lee 박=park 최=choi 정=jung 강=kang 조=cho 윤=yoon 장=jang 임=lim 한=han""",
        "부산, 대구, 인천, 광주, 대전, 제주, 강릉, 경주, 춘천",
        "산책, 독서, 기타, 텃밭, 자전거, 베이킹, 별 보기, 기차 여행, 고양이, 뜨개질, 등산, 코딩",
        family_first=True,
    ),
    "ar": read_pool(
        5,
        """سلمى=salma يوسف=yousef مريم=maryam كريم=karim هند=hind زياد=ziad رنا=rana عمر=omar
        دانة=dana طارق=tariq هالة=hala سامي=sami""",
        """الخطيب=khatib نجار=najjar منصور=mansour شاهين=shaheen بركات=barakat صباغ=sabbagh
        درويش=darwish عيسى=issa فارس=faris الحلبي=halabi""",
        "القاهرة, تونس, بيروت, الرباط, عمّان, مسقط, الإسكندرية, فاس",
        "القراءة, الطبخ, العود, المشي, القهوة, النجوم, الزراعة, الخط العربي, القطارات, البرمجة",
    ),
    "he": read_pool(
        3,
        """תמר=tamar יונתן=yonatan מאיה=maya איתי=itai שירה=shira עומר=omer רותם=rotem גיל=gil
        יעל=yael אורי=uri""",
        """כהן=cohen לוי=levi מזרחי=mizrahi פרידמן=friedman ביטון=biton שפירא=shapira אלון=alon
        גולן=golan ברק=barak""",
        "חיפה, באר שבע, תל אביב, צפת, עכו, רחובות",
        "ספרים, אפייה, רכיבה, גינון, ים, כוכבים, סריגה, קוד נקי, רכבות, קלרינט",
    ),
    "hi": read_pool(
        5,
        """अनन्या=ananya रोहन=rohan दीया=diya आरव=aarav काव्या=kavya विवेक=vivek नेहा=neha अर्जुन=arjun
        पूजा=pooja कबीर=kabir सुमन=suman""",
        """शर्मा=sharma वर्मा=verma गुप्ता=gupta मिश्रा=mishra पटेल=patel यादव=yadav सक्सेना=saxena
        चौहान=chauhan त्रिपाठी=tripathi""",
        "दिल्ली, भोपाल, लखनऊ, पटना, इंदौर, उदयपुर, देहरादून",
        "चाय, किताबें, पतंग, बागवानी, तबला, रेल यात्रा, तारे, साइकिल, खाना बनाना, कविता",
    ),
    "ru": read_pool(
        5,
        """Анна=anna Илья=ilya Варя=varya Глеб=gleb Даша=dasha Егор=egor Женя=zhenya Лиза=liza
        Марк=mark Надя=nadya Рома=roma Соня=sonya""",
        """Журавель=zhuravel Мороз=moroz Гончар=gonchar Снегирь=snegir Заря=zarya Бондарь=bondar
        Ковач=kovach Дубинин=dubinin Север=sever""",
        "Казань, Томск, Вологда, Псков, Самара, Алматы, Пермь",
        "сырники, поезда, кактусы, звёзды, велосипед, вязание, старые книги, дача, вальсы, чай",
    ),
    "uk": read_pool(
        4,
        """Оксана=oksana Тарас=taras Дарина=daryna Андрій=andriy Софія=sofiya Максим=maksym
        Леся=lesya Назар=nazar Ярина=yaryna Остап=ostap""",
        """Коваль=koval Бондаренко=bondarenko Гнатюк=hnatiuk Мельник=melnyk Шевчук=shevchuk
        Кравець=kravets Лисенко=lysenko Савчук=savchuk""",
        "Київ, Львів, Одеса, Чернівці, Луцьк, Ужгород, Вінниця",
        "вареники, гори, бандура, соняшники, велосипед, книжки, вишивка, зорі, город, кава",
    ),
    "el": read_pool(
        3,
        """Μαρία=maria Γιώργος=giorgos Κατερίνα=katerina Νίκος=nikos Δάφνη=dafni Πέτρος=petros
        Σοφία=sofia Άρης=aris""",
        """Καραγιάννη=karagianni Αγγέλου=angelou Βασιλείου=vasileiou Δήμου=dimou Ιωάννου=ioannou
        Λάμπρου=lambrou Ρήγα=riga""",
        "Αθήνα, Πάτρα, Βόλος, Χανιά, Ιωάννινα, Σύρος",
        "θάλασσα, χαρταετοί, ποδήλατο, φαγητό, βιβλία, άστρα, μπουζούκι, γάτες, κήπος",
    ),
    "tr": read_pool(
        4,
        """Ayşe Barış Ceren Defne Ege Elif Gökçe Kerem Leyla Mert Nil Onur Pelin Rüzgar Selin Umut
        Zeynep""",
        """Akın Bulut Çınar Demir Erdem Güneş Irmak Kaya Kılıç Özkan Polat Şahin Toprak Yıldız""",
        "Ankara, Bursa, Eskişehir, Trabzon, Antalya, Mersin, Bodrum",
        "vapur, çay, kitap, bisiklet, bahçe, keman, yıldızlar, yürüyüş, kediler, yemek",
    ),
    "vi": read_pool(
        4,
        """Bảo Châu Đức Giang Hà Hương Khánh Lan Linh Mai Minh Ngọc Phúc Quân Sơn Thảo Trang Tú
        Vy""",
        """Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô Dương""",
        "Huế, Đà Nẵng, Sài Gòn, Hội An, Cần Thơ, Đà Lạt",
        "phở, cà phê, xe đạp, mưa, sách, trồng cây, đàn bầu, ngắm sao, tàu đêm, nấu ăn",
        family_first=True,
    ),
}
