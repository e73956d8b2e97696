"""Posts in Turkish."""

from socialsite.demo.texts.language import Language, read_posts, read_words

POSTS = """
Annem mantıyı o kadar küçük yapar ki kırk tanesi bir kaşığa sığar. Ben yapınca bir kaşığa bir
tane. 🥟
%
Vapurda çay, simit ve martılar. Karşıya geçmek için değil, geçmemek için biniyorum.
%
Balkonda biber yetiştiren var mı? Benimkiler çiçek açıyor ama işin devamını getirmiyor. #bahçe
%
Sabahtan beri aradığım hata, dün akşam "şimdilik kalsın" dediğim satırdaymış. #kod
%
Gece treninde tanımadığım biri termosundan çorba ikram etti. Adını bilmiyorum, tarifini
biliyorum. 🚆
%
Bir kitabı bitirince hemen yenisine başlayabiliyor musunuz? Ben birkaç gün yas tutuyorum. #kitap
%
Dedem radyosunu tamir ettirdi.

İlk açtığında gençliğinin şarkısı çalıyordu. Kimse konuşmadı, anneannem elini tuttu.
%
Bisikletle sahile kadar gittim. Rüzgâr karşıdan, gülümseme yandan esti. 🚲
%
@alice ekmeğin tuttu! Apartman kokuya uyandı, kapıda kuyruk var.
%
İlk kar düştü. Sokaktaki kediler ayak izlerine bakıp bakıp şaşırıyor. ❄️🐈
%
Küçük mutluluk: manavın "bu da benden olsun" dediği tek bir şeftali.
%
Komşunun kızı keman çalışıyor. Altı ayda gıcırtıdan ninniye geldik, gurur duyuyorum. 🎻
%
Öğrencilerime gökkuşağını bardakta gösterdim. Biri sordu: "Öğretmenim, kapağını kapatırsak
kaçmaz mı?" 🌈 #bilim
"""

WORDS = read_words(
    post="{when} {did}. {end} | {when} {did}. | {ask} | {ask} {please} | {joy_when}: {joy}. {end}",
    when="Bu sabah | Dün akşam | Pazar günü | Yağmurdan sonra | Eve dönerken | Öğlen | Nihayet",
    did="""
    {how} {dish} yaptık | {who} bize {dish} getirdi | {book} bitirdim
    {where} bisikletle {km} kilometre gezdik | {where} {animal} gördük
    balkondaki {plant} çiçek açtı | {who} bana {book} ödünç verdi
    {where} hava kararana kadar yürüdük | eski kodun yarısını sildim ve her şey hâlâ çalışıyor
    {where} şarkı söyledik | {who} ile {where} çay içtik
    """,
    who="komşum | iş arkadaşım | kız kardeşim | eski bir dostum | teyzem | halam",
    dish="""
    mercimek çorbası | gözleme | zeytinyağlı dolma | limonlu kek | menemen | sütlaç
    kabak mücveri
    """,
    how="""
    tarifsiz | anneannemin usulüyle | kalabalık bir sofraya | bol sarımsaklı | radyo eşliğinde
    """,
    book="""
    fenerleri anlatan romanı | tuzun tarihini | adalar atlasını | eski bir şiir kitabını
    uzun bir aile hikâyesini
    """,
    where="""
    dere kenarında | deniz kıyısında | zeytinlikte | gölün çevresinde | istasyonun arkasında
    eski çarşıda
    """,
    km="12 | 18 | 26 | 37 | 52",
    animal="""
    bir leylek | uyuyan bir kedi | bir kirpi | hiç acelesi olmayan bir kaplumbağa | bir ibibik
    """,
    plant="domatesler | sardunyalar | yasemin | çilekler | güller",
    ask="""
    {thing} ne olacak, fikri olan var mı? | {thing} hakkında tavsiyesi olan?
    {thing} ile ilgili güzel bir hikâyeniz var mı?
    """,
    thing="""
    eski tren biletleri | gıcırdayan bisiklet | kışın saksılar | elle yazılmış mektuplar
    bir kasa elma
    """,
    please="Uzun hikâyeler makbuldür. | Hepsini okuyorum. | Şimdiden teşekkürler!",
    joy_when="Küçük mutluluk | Haftanın en güzel anı | Günlüğe not | Beni gülümseten şey",
    joy="""
    sabahın ilk ekmek kokusu | pencere kenarında boş yer | gerçek pullu bir mektup
    plansız bir akşam | {where} kısa bir yürüyüş
    """,
    end="Ya siz? | Hayat güzel. | Tavsiye ederim. | Yarın yine. | Hâlâ gülümsüyorum. | Hepsi bu.",
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 📚 | ✨ | 🐈",
    tag="#gündelik | #küçükmutluluklar | #pazar | #yürüyüş | #evde",
)

LANGUAGE = Language("tr", read_posts(POSTS), WORDS)
