// What comes once the pointer or the focus is on a search field or on a link to a person (composer.js brings it): the card
// of the person, and the searches of before. Their styles are one sheet, which both wait for.
import "./person_card.js";
import "./search.js";
