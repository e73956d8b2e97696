"""Posts in French."""

from socialsite.demo.texts.language import Language, read_posts, read_words

POSTS = """
Le boulanger m'a demandé si je voulais « la bien cuite, comme d'habitude ». Ça y est, j'habite
vraiment ici. 🥖
%
Ce matin, brouillard sur le canal. Un pêcheur, un héron, et moi en retard. Le héron n'avait pas
l'air pressé.
%
Ma tarte aux abricots ressemble à une carte de géographie. Elle a disparu en sept minutes,
continents compris. #cuisine
%
Question sérieuse : que faites-vous des livres que vous n'avez pas aimés ? Les donner, c'est un
peu transmettre la punition. #lecture
%
Le train s'est arrêté en pleine campagne pendant vingt minutes. Quelqu'un a sorti un accordéon.
J'ai presque regretté que ça reparte. 🚆
%
Trois jours pour trouver le bug, trois secondes pour le corriger, trois cafés pour m'en
remettre. #code
%
Mon voisin de 82 ans apprend le violon.

Il m'a dit : « À mon âge, on n'a plus le temps d'être mauvais en secret. »

Je crois que je vais ressortir mes pinceaux.
%
Première fraise du jardin. Nous étions quatre. On a fait quatre parts. 🍓
%
@alice j'ai essayé ton pain au levain : la croûte chante quand il refroidit ! Personne ne
m'avait prévenue.
%
Col gravi, jambes cassées, fromage mérité. Le vélo est une philosophie très simple. 🚴
%
Ma fille veut savoir où va le noir quand on allume la lumière. Si un physicien passe par ici, il
est le bienvenu. #science
%
L'orage a coupé le courant dans tout le quartier. On a sorti les bougies, puis les chaises, puis
les guitares. Il est revenu trop tôt.
%
Petit bonheur : retrouver dans la poche du manteau d'hiver un ticket de cinéma et une liste de
courses heureuse.
"""

WORDS = read_words(
    post="""
    {fait} {fin} | {fait} | {quand}, {suite}. {fin} | {quand}, {suite}. | {question}
    {question} {appel}
    """,
    quand="Ce matin | Hier soir | Dimanche | Après la pluie | En rentrant | À midi | Au marché",
    fait="""
    J'ai préparé {plat} {comment}. | {ami} m'a apporté {plat}. | Je viens de finir {livre}.
    {km} kilomètres à vélo {ou}. | Enfin planté les {plante} du balcon.
    Les {plante} sont en fleur. | Vu {n} {bete} {ou}. | {ami} m'a prêté {livre}.
    J'ai supprimé {n} cents lignes de code et tout marche encore.
    """,
    suite="""
    j'ai croisé {n} {bete} {ou} | j'ai préparé {plat} {comment} | on a chanté {ou}
    j'ai relu {livre} | {ami_bas} m'a parlé de ses {plante}
    le train filait {ou} et j'ai compté {n} {bete} | il a neigé {ou}
    """,
    plat="""
    une soupe de potiron | une ratatouille | un gâteau au citron | des crêpes | un clafoutis
    une quiche aux poireaux | un risotto
    """,
    comment="""
    sans recette | avec les herbes du balcon | pour {n} personnes | comme ma grand-mère
    avec trop d'ail | en écoutant la radio
    """,
    ami="Ma voisine | Un collègue | Mon frère | Une vieille amie | Le fleuriste | Mon oncle",
    ami_bas="ma voisine | un collègue | mon frère | une vieille amie | le fleuriste | mon oncle",
    livre="""
    un roman sur les phares | une histoire du sel | un polar en boulangerie | un atlas des îles
    un recueil de lettres | un livre sur la mousse
    """,
    km="15 | 23 | 34 | 47 | 58 | 72 | 90",
    n="trois | quatre | cinq | six | sept | neuf | onze",
    ou="""
    le long du canal | à travers les vignes | jusqu'à la mer | autour du lac | derrière la gare
    sous les platanes
    """,
    bete="hérons | cigognes | lapins | chats endormis | escargots | oies très sérieuses",
    plante="tomates | tulipes | fraises | roses trémières | courgettes | capucines",
    question="""
    Que faites-vous {chose} ? | Un conseil à propos {chose} ?
    Qui a une histoire à propos {chose} ?
    """,
    chose="""
    de {n} kilos de pommes | de vieux billets de train | d'un vélo qui grince | d'un piano muet
    des plantes vertes en hiver | de chaussettes trouées
    """,
    appel="""
    Je prends tout. | Histoires longues bienvenues. | C'est pour une amie. | Merci d'avance !
    """,
    fin="""
    Et vous ? | Je recommande. | À refaire. | Il fallait y être. | La vie est belle.
    On recommence demain. | J'en souris encore.
    """,
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 📚 | ✨ | 🐈",
    tag="#quotidien | #petitsbonheurs | #weekend | #balade | #maison",
)

LANGUAGE = Language("fr", read_posts(POSTS), WORDS)
