"""Posts in German."""

from socialsite.demo.texts.language import Language, read_posts, read_words

POSTS = """
Der Teig hat über Nacht den Deckel angehoben. Ich nehme das als Zeichen von Charakter. 🍞
%
Heute früh um sechs: Nebel über der Elbe, ein Graureiher, kein Mensch. So darf jeder Montag
anfangen.
%
Frage an alle mit Balkon: Was wächst bei euch im Schatten, außer schlechter Laune? #garten
%
Der Zug hatte 40 Minuten Verspätung, und in dieser Zeit hat eine fremde Frau mir Skat
beigebracht. Ich habe verloren und freue mich auf die nächste Störung. 🚆
%
Eine Woche lang einen Fehler gesucht. Es war der Kommentar, der gelogen hat. #code
%
Meine Oma hat Kochrezepte in drei Stufen notiert:

| 1. „Weißt du ja.“
| 2. „Nach Gefühl.“
| 3. „Bis es gut ist.“

Ich vermisse sie bei jedem Apfelkuchen.
%
90 Kilometer, 1.200 Höhenmeter, zwei Stück Zwetschgenkuchen. Die Bilanz stimmt. 🚴
%
Wer hat eigentlich beschlossen, dass man für Feierabend ein Wort braucht, das es sonst nirgends
gibt? Danke, jedenfalls.
%
Im Treppenhaus hängt ein Zettel: „Wer hat so gut gekocht? Bitte melden. 3. Stock.“ Ich war es
nicht, aber ich überlege, es zu behaupten.
%
Die Mauersegler sind da! Pünktlich auf den Tag, ganz ohne Fahrplan.
%
Gerade das letzte Kapitel gelesen und sofort wieder auf Seite eins geblättert. Das ist mir
zuletzt mit zwölf passiert. #bücher
%
@alice Das Brot nach deinem Rezept ist gelungen. Also beim dritten Mal. Über die ersten beiden
reden wir nicht.
%
Heute im Repaircafé: ein Plattenspieler, zwei Toaster und ein Herr, der nur reden wollte. Alle
wieder heil. 🔧
%
Kleine Freude: Der Bäcker hat mich zum ersten Mal gefragt „Wie immer?“
%
Hat jemand Erfahrung mit Chorproben per Videokonferenz? Bei uns klingt es wie Möwen. Sehr
engagierte Möwen. 🎶
%
Mein Sohn (5) hat den Regenwurm vom Radweg getragen und ihm einen guten Tag gewünscht. Ich
glaube, das mit der Erziehung läuft.
%
Erkenntnis des Tages: Wenn man die Variable richtig benennt, muss man die Hälfte nicht mehr
erklären. #code
%
Wir haben das Klavier verkauft und gegen einen großen Tisch getauscht. Jetzt sitzen abends acht
Leute da, wo früher keiner gespielt hat.
%
Sternschnuppen gestern: sieben. Mückenstiche: neunzehn. Würde es wieder tun. ✨
%
Auf dem Flohmarkt einen Atlas von 1953 gefunden. Jemand hat mit Bleistift eine Reise
eingezeichnet, von Kassel bis nach Lissabon, und am Rand steht: „Mit Marie.“

Ich hoffe so sehr, dass sie gefahren sind.
%
Der erste Frost hat die Dahlien geholt. Morgen grabe ich die Knollen aus und entschuldige mich
bei jeder einzeln. #garten
%
Linsensuppe, Regen am Fenster, und im Radio ein Hörspiel. Ich bin heute für niemanden
erreichbar.
%
Tipp für alle Pendler: Setzt euch einmal auf die andere Seite. Ich fahre seit elf Jahren an
einem Schloss vorbei und wusste es nicht.
%
Warum ist der Himmel blau und der Sonnenuntergang rot? Heute meiner Klasse mit einem Glas Wasser
und etwas Milch gezeigt. Es wurde ganz still. Schönster Moment der Woche. #physik
%
Suche: jemanden, der mir das Stricken von Fersen erklärt, ohne zu seufzen. Biete: Marmelade. 🧦
%
Die Katze hat gewonnen. Ich arbeite jetzt vom Küchenstuhl aus.
%
Wanderung durchs Moor, danach 43 Fotos von Moos. Kein einziger Mensch drauf. Perfekter Urlaub.
🌿
%
Die Fahrradwerkstatt im Hof hat jetzt dienstags bis 20 Uhr offen, Werkzeug ist da, Kaffee auch:
https://example.org/hofwerkstatt #fahrrad
%
@bob Kommst du am Samstag zum Pflanzentausch? Ich habe 30 Tomaten und keine Kontrolle über mein
Leben.
%
Gewitter um drei Uhr nachts. Alle Lichter im Haus gegenüber gingen an, und an jedem Fenster
stand jemand und schaute. Wir haben uns zugewinkt. ⛈️
%
Der Bass im Posaunenchor ist krank, also spiele ich heute Bass. Ich spiele sonst Triangel.
Drückt mir die Daumen.
%
Als Kind durfte ich im Stellwerk bei Onkel Heinz auf dem hohen Stuhl sitzen. Er hat mir erklärt,
dass jeder Zug ein Versprechen ist, und dass er dafür da ist, dass die Versprechen sich nicht
begegnen.

Heute war ich in dem Museum, das daraus geworden ist. Der Stuhl steht noch da. Ich habe gefragt,
ob ich mich kurz setzen darf, und der Mann an der Kasse hat nur genickt, als käme das öfter vor.
🚂
%
Manchmal ist die beste Verbesserung, etwas wegzulassen. Gilt für Software, Suppen und Sätze.
%
Gute Nacht an alle, die heute etwas repariert haben: ein Fahrrad, ein Programm, eine
Freundschaft. 🌙
"""

WORDS = read_words(
    post="""
    {kochen} {schluss} | {kochen} | {rad} {schluss} | {rad} | {code} {schluss} | {code}
    {garten} {schluss} | {garten} | {lesen} {schluss} | {lesen} | {wetter} {schluss}
    {frage} {frage_ende} | {frage} | {wann}: {freude}. {schluss} | {kochen} Und dann: {freude}.
    """,
    kochen="""
    {tag_wort} gab es {essen} {essen_wie}. {essen_urteil}
    Zum ersten Mal {essen} gemacht, {essen_wie}. {essen_urteil}
    {freund} hat {essen} mitgebracht. {essen_urteil}
    """,
    essen="""
    Kürbissuppe | Kartoffelpuffer | Linseneintopf | Käsespätzle | Pflaumenkuchen | Apfelstrudel
    Rote-Bete-Salat | Pfannkuchen | Gemüselasagne | Grießbrei | Zwiebelkuchen | Maultaschen
    """,
    essen_wie="""
    mit viel zu viel Knoblauch | nach dem alten Familienrezept | ganz ohne Rezept
    für {zahl} Leute | mit Kräutern vom Balkon | bei offenem Fenster | aus lauter Resten
    """,
    essen_urteil="""
    Nichts ist übrig geblieben. | Am Rand etwas dunkel, genau richtig. | Das Rezept hebe ich auf.
    Die Küche sieht aus wie nach einem Sturm. | Schmeckt wie früher.
    Beim nächsten Mal weniger Salz.
    """,
    tag_wort="Heute | Gestern | Am Sonntag | Nach der Arbeit | Zur Feier des Tages | Mittags",
    freund="""
    Meine Nachbarin | Ein Kollege | Mein Bruder | Unsere neue Mitbewohnerin | Der Mann vom Markt
    """,
    zahl="drei | vier | fünf | sieben | neun | elf",
    rad="""
    {km} Kilometer mit dem Rad {wo}: {unterwegs}. | Mit dem Bummelzug {wo}. {zug}
    {tag_wort} zu Fuß {wo}, {zahl} {tiere} gesehen.
    """,
    km="14 | 22 | 37 | 48 | 61 | 75 | 96",
    wo="""
    am Fluss entlang | durch die Heide | bis ans Meer | über die Dörfer | rund um den See
    durch den Wald | zu meinen Eltern
    """,
    unterwegs="""
    Gegenwind in beide Richtungen | ein Platten und keine Eile | goldenes Licht die ganze Zeit
    mit {zahl} Pausen | ein Hase war schneller | Matsch bis zu den Ohren
    """,
    zug="""
    Ein Platz am Fenster. | Auf die Minute pünktlich! | Zu weit gefahren, nette Bäckerei entdeckt.
    {zahl} Kapitel gelesen und Kühe gezählt. | Ein Kind hat mir alle Signale erklärt.
    """,
    tiere="Störche | Rehe | Graureiher | Schnecken | schlafende Katzen | sehr ernste Gänse",
    code="""
    {code_tat}, und {code_folge}. | Heute gelernt: {code_wissen}.
    """,
    code_tat="""
    Endlich die fehlenden Tests geschrieben | Alten Code gelöscht
    Eine einzige Variable umbenannt | Das Handbuch ganz gelesen | Den Import neu gebaut
    Das Datenmodell auf Papier gemalt
    """,
    code_folge="""
    nichts ist kaputt | alles ist dreimal so schnell | es gab Kuchen
    jetzt verstehe ich es selbst | {zahl} Fehler sind verschwunden | der Feierabend ist verdient
    """,
    code_wissen="""
    Fehlermeldungen liest man von unten | Zeitzonen sind ein Abenteuer
    der einfachste Index war der richtige | ein guter Name spart {zahl} Kommentare
    """,
    code_frage="""
    eine lange Funktion oder {zahl} kurze | wie viele Kommentare sind zu viele
    wer testet die Tests | was war euer bester Variablenname
    """,
    garten="""
    Die {pflanzen} {wuchs}. {gefühl} | {tag_wort} die {pflanzen} gepflanzt. {gefühl}
    {freund} hat mir {pflanzen} geschenkt. {gefühl}
    """,
    pflanzen="""
    Tomaten | Dahlien | Stangenbohnen | Zucchini | Sonnenblumen | Erdbeeren | Stockrosen | Tulpen
    """,
    wuchs="""
    sind aufgegangen | haben den Frost überlebt | sind größer als ich | blühen endlich
    liegen nach dem Sturm flach | locken alle Bienen der Straße an
    """,
    gefühl="""
    Geduld zahlt sich aus. | Die Schnecken lassen grüßen. | Ich besuche sie zweimal am Tag.
    Jetzt heißt es warten. | Der Rücken schimpft, das Herz nicht. | Bitte Sonne schicken.
    """,
    lesen="""
    {tag_wort} {buch} ausgelesen, {lesen_wo}. {lesen_urteil}
    Ich lese gerade {buch}, {lesen_wo}. {lesen_urteil}
    """,
    buch="""
    einen Roman über Leuchttürme | eine kleine Geschichte des Salzes | Gedichte über leere Zimmer
    einen Krimi aus einer Backstube | einen Atlas der Inseln | eine lange Familiensaga
    """,
    lesen_wo="""
    in einem Rutsch | in der Straßenbahn | unter der Linde | mit der Taschenlampe
    zum dritten Mal
    """,
    lesen_urteil="""
    Die Hälfte unterstrichen. | Wer will es als Nächstes? | Langsam im besten Sinn.
    Ich vermisse schon jetzt alle darin. | Beim Ende bin ich unsicher.
    """,
    wetter="""
    {wetter_was} über {wetter_wo}, und {wetter_tat}. | {tag_wort}: {wetter_was} über {wetter_wo}.
    """,
    wetter_was="""
    Nebel | ein Regenbogen | der erste Schnee | ein rosa Himmel | Donner | warmer Regen
    """,
    wetter_wo="den Dächern | dem Hafen | dem Tal | den Feldern | dem Marktplatz | dem Bahnhof",
    wetter_tat="""
    alle blieben stehen | der Hund wollte nicht raus | ich habe den Schirm vergessen, mit Absicht
    die ganze Straße roch nach Erde | ich habe {zahl} schlechte Fotos gemacht
    """,
    frage="""
    Frage an alle, die programmieren: {code_frage}?
    Was macht ihr mit {sache}? | Hat jemand Erfahrung mit {sache}?
    Wer hat einen guten Rat zum Umgang mit {sache}?
    """,
    sache="""
    alten Fahrkarten | {zahl} Kilo Äpfeln | einem quietschenden Fahrrad | löchrigen Wollsocken
    einem Klavier, auf dem niemand spielt | Zimmerpflanzen im Winter
    Marmeladengläsern ohne Deckel
    """,
    frage_ende="""
    Ich bin ganz Ohr. | Lange Geschichten bevorzugt. | Ich frage für mich. | Danke euch!
    """,
    wann="Kleine Freude | Auf dem Heimweg | Das Beste an der Woche | Fürs Tagebuch | Heute früh",
    freude="""
    ein Brief mit echter Briefmarke | der Duft aus der Bäckerei | ein freier Platz am Fenster
    der zweite Handschuh war wieder da | {zahl} {tiere} hintereinander | ein Nachmittag ohne Plan
    """,
    schluss="""
    Und bei euch? | Das musste mal gesagt werden. | Mehr davon, bitte. | Weitermachen.
    Morgen wieder. | Sehr zu empfehlen. | Man muss dabei gewesen sein. | Schön war's.
    """,
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 🌧️ | 📚 | ✨ | 🐈",
    tag="#alltag | #feierabend | #kleinefreuden | #zuhause | #wochenende | #unterwegs",
)

LANGUAGE = Language("de", read_posts(POSTS), WORDS)
