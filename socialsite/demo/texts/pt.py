"""Posts in Portuguese."""

from socialsite.demo.texts.language import Language, read_posts, read_words

POSTS = """
O bolo de fubá da minha avó não tem receita, tem conversa. Você senta, ela conta uma história, e
quando acaba o bolo está pronto. 🍰
%
Choveu tanto que a rua virou rio. As crianças fizeram barquinhos com as contas de luz. Ninguém
reclamou.
%
Alguém aqui cultiva orquídeas? A minha olha para mim como quem espera um pedido de desculpas.
#plantas
%
Fui de bicicleta ver o nascer do sol na praia. Cheguei atrasado, mas o mar não comentou nada. 🚲
%
Descobri que o erro era meu. Descobri também que o colega já sabia desde segunda e estava sendo
gentil. #programação
%
O senhor da banca guarda o jornal de domingo para o meu pai há trinta anos.

Meu pai não lê mais tão bem. Agora o senhor lê as manchetes em voz alta e os dois discordam de
tudo.
%
Terminei um livro tão bom que estou com ciúmes de quem ainda não leu. #leitura
%
Pequena alegria: o ônibus chegou junto comigo no ponto, como se tivéssemos combinado.
%
@alice fiz o seu pão com farinha de mandioca. Não é mais o seu pão, mas ficou maravilhoso!
%
Roda de samba na esquina, garoa fina, e a vizinha de 90 anos acertando todas as letras. 🎶
%
Meu sobrinho perguntou se o eco mora na montanha ou só visita. Vou precisar de alguns dias para
responder. #ciência
%
Três pés de tomate, dois de manjericão e um gato que acha que a horta é dele. 🍅🐈
%
Qual é o cheiro da infância de vocês? O meu é terra molhada com café passado na hora. ☕
"""

WORDS = read_words(
    post="""
    {feito} {fim} | {feito} | {quando} {segue}. {fim} | {quando} {segue}. | {pergunta}
    {pergunta} {pede}
    """,
    quando="""
    Hoje cedo | Ontem à noite | No domingo | Depois da chuva | Na volta para casa | Na feira
    """,
    feito="""
    Fiz {prato} {como}. | {amigo} trouxe {prato}. | Acabei de ler {livro}. | Os {planta} floriram.
    {km} quilômetros de bicicleta {onde}. | Plantei os {planta}, finalmente.
    Vi {n} {bicho} {onde}. | {amigo} me emprestou {livro}.
    Apaguei código antigo, corrigi {n} testes e tudo funciona.
    """,
    segue="""
    vi {n} {bicho} {onde} | preparamos {prato} {como} | reli {livro} | cantamos {onde}
    caminhei {onde} e contei {n} {bicho} | apareceu um arco-íris {onde}
    cuidei dos {planta} com calma
    """,
    prato="""
    pão de queijo | sopa de abóbora | moqueca de banana | bolo de limão | arroz com lentilha
    tapioca | canjica
    """,
    como="""
    sem receita | com ervas da varanda | como minha tia fazia | com alho demais | ouvindo rádio
    com as sobras da semana
    """,
    amigo="""
    Minha vizinha | Um colega | Meu irmão | Uma velha amiga | O moço da feira | Minha prima
    """,
    livro="""
    um romance sobre faróis | uma história do sal | um atlas de ilhas | um livro de cartas
    uma saga de família | poemas sobre cozinhas
    """,
    km="13 | 22 | 35 | 44 | 59 | 67 | 91",
    n="três | quatro | cinco | seis | sete | nove | onze",
    onde="""
    na beira do rio | entre as mangueiras | perto do mar | em volta da lagoa | atrás da estação
    pelo centro antigo
    """,
    bicho="beija-flores | sapos | quero-queros | gatos dormindo | caramujos | patos muito sérios",
    planta="tomates | girassóis | pimentões | gerânios | lírios | antúrios",
    pergunta="""
    O que vocês fazem com {coisa}? | Algum conselho sobre {coisa}?
    Quem tem uma boa história sobre {coisa}?
    """,
    coisa="""
    {n} quilos de manga | bilhetes de trem antigos | uma bicicleta que range
    um piano que ninguém toca | plantas no inverno | cartas escritas à mão
    """,
    pede="Leio tudo. | Histórias longas são bem-vindas. | É para um amigo. | Obrigada!",
    fim="""
    E vocês? | Recomendo. | Amanhã tem mais. | Só quem estava lá sabe. | A vida é boa.
    Ainda estou sorrindo.
    """,
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 📚 | ✨ | 🐈",
    tag="#cotidiano | #pequenasalegrias | #domingo | #passeio | #emcasa",
)

LANGUAGE = Language("pt", read_posts(POSTS), WORDS)
