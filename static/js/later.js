// What an open page does beside what its reader sees: it comes after `load`, so that a first visit does not wait for it. Each
// import stands for itself, and none of them is needed for reading or writing.
import "./pulse.js";
import "./news.js";
import "./push_visit.js";
import "./installed.js";
import "./waiting.js";
