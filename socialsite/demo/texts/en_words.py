"""The grammar of composed English posts."""

from socialsite.demo.texts.language import read_words

WORDS = read_words(
    post="""
    {cook} {coda} | {cook} | {ride} {coda} | {ride} | {code} {coda} | {code} | {plant} {coda}
    {plant} | {read} {coda} | {read} | {hear} {coda} | {sky} {coda} | {sky} | {ask}
    {ask} {ask_end} | {when}: {joy}. {coda} | {cook} {sky} | {ride} {joy_open} {joy}.
    """,
    when="""
    Small joy of the day | Seen this morning | Best part of the week | Today's good news
    Things that made me smile | One for the diary | On the way home | Note to self
    """,
    cook="""
    Made {dish} {dish_how} {tonight}.
    Tried {dish} for the first time {tonight}. {dish_result}
    {tonight_open} we had {dish} {dish_how}. {dish_result}
    {friend} brought {dish}. {dish_result} | I have been thinking about {dish} since {since}.
    """,
    dish="""
    pumpkin soup | a lentil curry | flatbread | a tray of roast vegetables | dumplings
    a lemon cake | mushroom risotto | pickled radishes | apple pancakes
    a very large omelette | rhubarb crumble | noodle soup | stuffed peppers | oat biscuits
    potato salad | a plum tart
    """,
    dish_how="""
    with far too much garlic | from my aunt's notebook | without a recipe
    with the last of the thyme | for {number} people | with the windows open
    in the old iron pan | while listening to the radio | with herbs from the balcony
    from leftovers
    """,
    dish_result="""
    Nobody asked for seconds because there were none left.
    A little burnt at the edges, exactly as I like it. | Next time: less salt, more patience.
    I wrote the recipe down before I could forget it. | Ten out of ten, would wash up again.
    The kitchen looks like a battlefield and I regret nothing.
    It tasted like being eight years old. | Even the picky one had two plates.
    """,
    tonight="tonight | today | for lunch | after work | on a whim | with the neighbours",
    tonight_open="""
    Tonight | Yesterday | On Sunday | After the rain | For once | Between two meetings
    """,
    friend="""
    My neighbour | A colleague | My brother | An old friend | The lady from the market
    Our new flatmate
    """,
    since="Tuesday | breakfast | the last holiday | this morning's bus ride | last winter",
    day="today | this morning | after work | on Sunday | yesterday | before the rain",
    number="three | four | five | six | nine | twelve",
    ride="""
    {distance} kilometres by bike {ride_where}, {ride_seen}.
    Took the {train} train {ride_where}. {train_seen}
    Cycled {ride_where} {day} and counted {number} {animals}.
    Missed the {train} train, so I walked {ride_where}. Worth it: {number} {animals}.
    """,
    distance="12 | 18 | 24 | 31 | 42 | 55 | 63 | 88",
    ride_where="""
    along the river | to the coast | through the old town | over the hill | past the reservoir
    to my parents' place | around the lake | to work the long way | through the orchards
    """,
    ride_seen="""
    headwind in both directions | one flat tyre and no hurry
    and the light was golden all the way | with a stop for ice cream
    with {number} breaks and a nap | and not a single red light | with mud up to my ears
    and a hare that raced me and won
    """,
    train="slow | early | night | last | school-run | half-empty",
    train_seen="""
    The window seat was free. | Somebody shared their grapes with the whole carriage.
    Slept through my stop, found a nice bakery. | On time to the second.
    Read {number} chapters and looked at cows. | A child explained all the signals to me.
    """,
    animals="""
    herons | rabbits | storks | sleeping cats | squirrels | snails | very serious geese
    """,
    code="""
    {code_did} and {code_result}. | Today I learned {code_fact}. {code_feel}
    """,
    code_did="""
    Removed {number} hundred lines of old code | Finally wrote the missing tests
    Renamed one variable | Rewrote the importer | Read the manual from start to end
    Upgraded everything at once | Spent the day on one query | Drew the data model on paper
    """,
    code_result="""
    nothing broke | everything is three times faster | found two bugs nobody had noticed
    went for a walk to celebrate | understood the problem at last | the build is green again
    my colleague brought cake
    """,
    code_fact="""
    that the simplest index was the right one
    how time zones really work, and I want my innocence back
    to read error messages from the bottom up
    that a queue solves {number} of my problems and adds one
    why the old code looked so strange | that naming the function first makes it shorter
    """,
    code_feel="""
    Humbling. | Should have asked sooner. | I love this job on such days.
    Writing it down for the next person. | It was in the documentation all along.
    """,
    code_question="""
    do you prefer one long function or {number} short ones | how many comments are too many
    tabs, spaces, or peace | who tests the tests
    what is the best name you ever gave a variable
    """,
    plant="""
    The {plants} {plant_do}. {plant_feel} | Planted {plants} {day}. {plant_feel}
    {friend} gave me {plants} for the {place}. {plant_feel}
    """,
    plants="""
    tomatoes | dahlias | runner beans | sweet peas | courgettes | sunflowers | tulips
    strawberries | hollyhocks | chillies
    """,
    plant_do="""
    are up | have survived the frost | are taller than me now | fell over in the wind
    are flowering at last | have attracted every bee in town | need more water than I do
    """,
    plant_feel="""
    I visit them twice a day. | Patience pays. | The slugs have sent their regards.
    I told them a story to be safe. | My back disagrees, my heart does not.
    Send sun, please. | Now we wait.
    """,
    place="balcony | window box | allotment | front step | greenhouse",
    read="""
    Reading {book} {read_where}. {read_feel} | Finished {book} {read_where}. {read_feel}
    {friend} lent me {book}. {read_feel}
    """,
    book="""
    a novel about lighthouse keepers | a short history of salt
    a book of letters between two sisters | a detective story set in a bakery
    an atlas of islands | a biography of a mountain guide | poems about ordinary rooms
    a very long family saga | essays on walking | a book about moss
    """,
    read_where="""
    in one sitting | on the tram | in the bath | under the big lime tree | with a torch
    for the third time | aloud to the cat | before breakfast
    """,
    read_feel="""
    Underlined half of it. | Not sure about the ending. | I want to live in chapter {number}.
    Slow in the best way. | Already missing everyone in it. | Who wants to borrow it next?
    It made me call my mother.
    """,
    hear="""
    {friend} plays the {instrument} {hear_when}. | Bought a second-hand {instrument} {day}.
    Heard a {instrument} across the {sky_where}.
    Concert {day}: {number} musicians and one {instrument}.
    """,
    instrument="clarinet | cello | banjo | trumpet | harp | double bass | ukulele | viola",
    hear_when="""
    every evening at six | only when it rains | better every week | with the door open
    like nobody is listening
    """,
    sky="""
    {sky_what} over the {sky_where} {sky_when}. | {sky_when_open}: {sky_what}, and {sky_do}.
    """,
    sky_what="""
    Fog | A double rainbow | The first frost | Thunder | A pink sky | Snow in huge flakes
    A very thin moon | Warm rain | Wind from the sea
    """,
    sky_where="rooftops | harbour | valley | railway yard | school | market square | fields",
    sky_when="""
    this morning | just now | at lunchtime | all evening | for exactly {number} minutes
    """,
    sky_when_open="""
    Six in the morning | Late afternoon | On the way to work | Just after sunset
    Halfway up the hill
    """,
    sky_do="""
    everybody stopped to look | I forgot my umbrella on purpose | the dog refused to go out
    the whole street smelled of earth | I took {number} bad photos
    """,
    ask="""
    Code review question: {code_question}?
    What do you do with {ask_thing}? | Does anyone have good advice about {ask_thing}?
    Friends, serious question about {ask_thing}: keep or give away?
    Who else has strong feelings about {ask_thing}?
    What should I know about {ask_thing} before {ask_before}?
    """,
    ask_thing="""
    old train tickets | {number} kilos of apples | a squeaky bicycle | a piano nobody plays
    sourdough starters | houseplants in winter | handwritten letters | wool socks with holes
    noisy but friendly neighbours | maps of places that changed | jam jars without lids
    """,
    ask_before="""
    the weekend | spring comes | my sister visits | I do something silly | next month
    """,
    ask_end="""
    All answers welcome. | Asking for a friend. The friend is me. | I am all ears.
    Long stories preferred. | Wrong answers too, please.
    """,
    joy_open="Also: | On top of that: | Best of all: | And then:",
    joy="""
    a free seat by the window | somebody held the door for {number} of us
    a letter with a real stamp | the smell of the bakery at dawn | clean sheets
    a child waving at every lorry | finding the other glove | the first coffee on the balcony
    {number} {animals} in a row | an afternoon without plans
    """,
    coda="""
    That is all, carry on. | How was your day? | I needed that. | More of this, please.
    Recommended. | Tell me yours. | Life is good. | Could be worse. | Tomorrow again.
    You had to be there. | Still smiling. | No photo, sorry.
    """,
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 🌧️ | 📚 | 🎶 | ✨ | 🐈 | 🍋 | 💛",
    tag="""
    #smalljoys | #everyday | #slowliving | #home | #weekend | #neighbourhood | #notes
    #goodthings
    """,
)
