"""Posts in Spanish."""

from socialsite.demo.texts.language import Language, read_posts, read_words

POSTS = """
Mi abuela no mide nada: la sal va «con cariño» y el aceite «sin miedo». Llevo veinte años
intentando copiarle las lentejas. 🍲
%
Hoy el autobús entero le cantó cumpleaños feliz al conductor. Nadie sabía quién empezó. Llegamos
tarde y contentos.
%
Pregunta para los que tienen huerto: ¿cuándo se riega, al amanecer o al anochecer? En mi casa ya
hay dos bandos. #huerto
%
Terminé la novela a las tres de la mañana. Ahora no sé con quién hablar hasta que amanezca.
#libros
%
Sesenta kilómetros en bici, tres pinchazos y un señor que nos regaló naranjas. Buen balance. 🚴
%
El error estaba en la línea 12. Yo llevaba dos días mirando la 240. #programación
%
Se fue la luz en toda la calle y salimos a los balcones.

El del cuarto sacó la guitarra, la del segundo repartió aceitunas y los niños contaron
estrellas.

Cuando volvió la luz, alguien gritó: «¡Apáguenla!»
%
Pequeña alegría: el pan todavía caliente y el camino a casa lo bastante largo para comerse la
punta. 🥖
%
@carol ya sé hacer empanadillas con el pliegue que me enseñaste. Solo se abrieron cuatro de
veinte.
%
En el tren, una niña me explicó que las nubes son «el vapor de los sueños del mar». No pienso
corregirla. ☁️
%
Estoy aprendiendo a tocar el acordeón. Mis vecinos están aprendiendo a ser pacientes. 🎶
%
Primer jazmín del año. Toda la escalera huele a verano y hasta el ascensor parece de buen humor.
%
¿Cuál es la palabra más bonita que conocen? La mía, esta semana: «alféizar».
"""

WORDS = read_words(
    post="""
    {hecho} {fin} | {hecho} | {cuando} {sigue}. {fin} | {cuando} {sigue}. | {pregunta}
    {pregunta} {pide}
    """,
    cuando="""
    Esta mañana | Anoche | El domingo | Después de la lluvia | Al volver a casa | A mediodía
    Ayer
    """,
    hecho="""
    Hice {plato} {como}. | {amigo} me trajo {plato}. | Acabo de terminar {libro}.
    Ya florecieron los {planta}. | {km} kilómetros en bici {donde}. | Por fin planté los {planta}.
    Vi {n} {animal} {donde}. | {amigo} me prestó {libro}.
    Borré {n} funciones viejas y todo sigue funcionando.
    """,
    sigue="""
    vi {n} {animal} {donde} | preparamos {plato} {como} | volví a leer {libro} | cantamos {donde}
    {amigo_bajo} me habló de sus {planta} | caminé {donde} y conté {n} {animal}
    salió el arcoíris {donde}
    """,
    plato="""
    una tortilla de patatas | un gazpacho | arroz con verduras | sopa de calabaza
    un bizcocho de limón | croquetas | un guiso de garbanzos
    """,
    como="""
    sin receta | con hierbas del balcón | para {n} personas | como lo hacía mi tía
    con demasiado ajo | con la radio puesta
    """,
    amigo="Mi vecina | Un compañero | Mi hermano | Una vieja amiga | El frutero | Mi prima",
    amigo_bajo="mi vecina | un compañero | mi hermano | una vieja amiga | el frutero | mi prima",
    libro="""
    una novela de faros | una historia de la sal | un atlas de islas | un libro de cartas
    una saga familiar | unos poemas sobre cocinas
    """,
    km="14 | 21 | 36 | 45 | 57 | 68 | 92",
    n="tres | cuatro | cinco | seis | siete | nueve | once",
    donde="""
    junto al río | entre los olivos | cerca del mar | alrededor del lago | detrás de la estación
    por el casco viejo
    """,
    animal="cigüeñas | garzas | conejos | gatos dormidos | caracoles | gansos muy serios",
    planta="tomates | girasoles | tulipanes | pimientos | geranios | calabacines",
    pregunta="""
    ¿Qué hacen ustedes con {cosa}? | ¿Algún consejo sobre {cosa}?
    ¿Quién tiene una buena historia sobre {cosa}?
    """,
    cosa="""
    {n} kilos de manzanas | billetes de tren viejos | una bici que chirría
    un piano que nadie toca | plantas en invierno | cartas escritas a mano
    """,
    pide="Leo todo. | Se aceptan historias largas. | Pregunto por un amigo. | ¡Gracias!",
    fin="""
    ¿Y ustedes? | Lo recomiendo. | Mañana más. | Había que estar ahí. | Qué bonita es la vida.
    Todavía sonrío. | Eso era todo.
    """,
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 📚 | ✨ | 🐈",
    tag="#cotidiano | #pequeñasalegrías | #domingo | #paseo | #encasa",
)

LANGUAGE = Language("es", read_posts(POSTS), WORDS)
