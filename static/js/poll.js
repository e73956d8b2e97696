// The answers of a new poll: two fields to begin with, one more at each press, and each can go again.
(() => {
  const rowsOf = (poll) => [...poll.querySelectorAll(".poll-option")];

  function draw(poll, shown) {
    for (const [place, row] of rowsOf(poll).entries()) {
      row.hidden = place >= shown;
      row.querySelector("[data-drop-option]").hidden = shown <= 2;
    }
    poll.querySelector("[data-add-option]").hidden = shown >= rowsOf(poll).length;
  }

  const shownIn = (poll) => rowsOf(poll).filter((row) => !row.hidden).length;

  function prepare(element) {
    for (const poll of element.querySelectorAll("[data-poll]")) {
      const filled = rowsOf(poll).filter((row) => row.querySelector("input").value).length;
      draw(poll, Math.max(2, filled));
    }
  }

  document.addEventListener("click", ({ target }) => {
    const add = target.closest("[data-add-option]");
    const drop = target.closest("[data-drop-option]");
    const poll = (add || drop)?.closest("[data-poll]");
    if (!poll) return;
    const inputs = rowsOf(poll).map((row) => row.querySelector("input"));
    const shown = shownIn(poll);
    let at = shown;
    if (drop) { // those behind move up, so that names and numbers stay in order
      at = inputs.indexOf(drop.closest(".poll-option").querySelector("input"));
      for (let place = at; place < inputs.length; place += 1) inputs[place].value = inputs[place + 1]?.value || "";
      at = Math.min(at, shown - 2);
    }
    draw(poll, shown + (add ? 1 : -1));
    inputs[at].focus();
  });

  document.addEventListener("toggle", ({ target }) => {
    if (target.matches?.("[data-poll][open]")) target.querySelector("input")?.focus();
  }, true);

  document.addEventListener("shown", ({ target }) => prepare(target));
  prepare(document);
})();
