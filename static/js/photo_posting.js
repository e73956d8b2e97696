// Post with photos: asks once about missing descriptions, then waits until all photos have arrived.
(() => {
  const asked = new WeakSet(); // forms
  const waiting = new Map(); // form -> the button that was pressed
  const tilesOf = (form, states) => [...form.querySelectorAll("[data-tile]")].filter(({ dataset }) => states.includes(dataset.state));
  const coming = (form) => tilesOf(form, ["waiting", "sending", "held"]);
  const undescribed = (form) => [...form.querySelectorAll("[data-tile] textarea")].find(({ value }) => !value.trim());
  const post = (form, button) => form.requestSubmit(button?.isConnected ? button : undefined);

  function stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.querySelector("[data-tile]")) return;
    const [failed] = tilesOf(form, ["failed"]);
    const dialog = form.querySelector("[data-photos] dialog");
    if (failed) {
      stop(event);
      explain(failed);
    } else if (dialog && undescribed(form) && !asked.has(form)) {
      stop(event);
      asked.add(form);
      dialog.showModal();
    } else if (coming(form).length) {
      stop(event);
      waiting.set(form, submitter);
      show(form);
    } else {
      waiting.delete(form);
    }
  }, true);

  function explain(tile) {
    const box = tile.closest("[data-photos]");
    box.querySelector(".photos-note").textContent = tile.closest("form").querySelector("[data-first]").dataset.first;
    tile.querySelector("[data-do=retry]:not([hidden]), [data-do=remove]").focus();
  }

  function show(form) {
    const { length } = coming(form);
    const isWaiting = waiting.has(form) && length > 0;
    for (const bar of form.querySelectorAll(".photos-wait")) {
      const { waitOne, waitMany } = bar.closest("[data-photos]").dataset;
      const isHere = isWaiting && bar === form.querySelector(".photos-wait");
      bar.hidden = !isHere;
      bar.querySelector("span").textContent = isHere ? (length === 1 ? waitOne : waitMany).replace("{n}", length) : "";
    }
  }

  document.addEventListener("photo-settled", ({ target }) => {
    const form = target.closest("form");
    if (!waiting.has(form)) return;
    const [failed] = tilesOf(form, ["failed"]);
    const button = waiting.get(form);
    if (failed || !coming(form).length) waiting.delete(form);
    show(form);
    if (failed) explain(failed);
    else if (!coming(form).length) post(form, button);
  });

  document.addEventListener("click", ({ target }) => {
    const does = target.closest("[data-photos] [data-do]")?.dataset.do;
    const form = target.closest("form");
    if (does === "undo") {
      waiting.delete(form);
      show(form);
      form.querySelector("[data-limit]")?.focus();
    }
    if (does !== "describe" && does !== "without") return;
    target.closest("dialog").close();
    if (does === "describe") undescribed(form)?.focus();
    else post(form, form.querySelector("[data-posts]"));
  });

  // The browser asks before it leaves photos that are still under way.
  addEventListener("beforeunload", (event) => {
    if (document.querySelector("[data-state=waiting], [data-state=sending], [data-state=held]")) event.preventDefault();
  });
})();
