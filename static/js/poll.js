// The answers of a new poll: two fields to begin with, one more at each press, and each can go again.
// composer.js brings it with the first poll that is opened.
const rowsOf = (poll) => [...poll.querySelectorAll(".poll-option")];
const inputIn = (row) => row.querySelector("input");

function draw(poll, shown) {
  for (const [place, row] of rowsOf(poll).entries()) {
    row.hidden = place >= shown;
    row.querySelector("[data-drop-option]").hidden = shown <= 2;
  }
  poll.querySelector("[data-add-option]").hidden = shown >= rowsOf(poll).length;
}

function open(poll) {
  const filled = rowsOf(poll).filter((row) => inputIn(row).value).length;
  draw(poll, Math.max(2, filled));
  if (!filled) inputIn(poll).focus();
}

document.addEventListener("click", ({ target }) => {
  const add = target.closest("[data-add-option]");
  const drop = target.closest("[data-drop-option]");
  const poll = (add || drop)?.closest(".part-poll");
  if (!poll) return;
  const rows = rowsOf(poll);
  const inputs = rows.map(inputIn);
  const shown = rows.filter((row) => !row.hidden).length;
  let at = shown;
  if (drop) { // those behind it move up, so that the numbers stay in order
    const place = rows.indexOf(drop.closest(".poll-option"));
    for (let n = place; n < inputs.length; n += 1) inputs[n].value = inputs[n + 1]?.value || "";
    at = Math.min(place, shown - 2);
  }
  draw(poll, shown + (add ? 1 : -1));
  inputs[at].focus();
});

document.addEventListener("toggle", ({ target }) => { if (target.matches?.(".part-poll[open]")) open(target); }, true);
for (const poll of document.querySelectorAll(".part-poll[open]")) open(poll);
