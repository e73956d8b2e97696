// Keys of moderators: what a digit, u or h presses carries it as `data-key`. Staff alone load it, before app.js,
// whose keys these replace on pages of cases; j, k and Enter are the same on both.
(() => {
  const modal = document.getElementById("modal");

  // ---- A proof that is old is asked for in a dialog above the page; what was sent is then sent again as it stands ------
  const proof = document.getElementById("proof");
  let sendAgain = () => {};
  document.addEventListener("submit", ({ target, submitter }) => {
    if (!proof.contains(target)) sendAgain = () => target.requestSubmit(submitter);
  }, true);
  proof.addEventListener("shown", () => {
    if (proof.querySelector("[data-options]")) import(proof.dataset.passkeys).catch(() => {});
    if (!proof.open) proof.showModal();
  });
  proof.addEventListener("proved", () => { proof.close(); sendAgain(); });
  proof.addEventListener("close", () => proof.replaceChildren());
  proof.addEventListener("click", ({ target }) => { if (target.closest("[data-close-proof]")) proof.close(); });
  proof.addEventListener("keydown", (event) => event.stopPropagation());

  const rows = document.querySelector(".cases, .desk, .decide");
  if (!rows) return;

  import(document.body.dataset.keys).catch(() => {}); // j and k move at once, before x selects

  const all = document.querySelector("[data-select-all]");
  if (all) all.hidden = false;
  all?.addEventListener("click", () => { for (const box of rows.querySelectorAll(".case-check input")) box.checked = true; });

  const link = (row) => rows.querySelector(`${row} a`);

  rows.querySelector(".desk-queue .is-open")?.scrollIntoView({ block: "nearest" });

  // Who goes on to another page looks at the case no longer; who comes back does.
  const claim = document.getElementById("looking")?.dataset.claim;
  function say(on) {
    const form = new FormData(document.getElementById("act"));
    form.set("on", on);
    navigator.sendBeacon(claim, form);
  }
  if (claim) {
    addEventListener("pagehide", () => say("0"));
    addEventListener("pageshow", (event) => { if (event.persisted) say("1"); });
  }

  // ---- A dialog keeps the keys that are pressed in it, and what is typed until its writer gives it up ----------------
  function stays() {
    const question = modal.querySelector(".discard");
    const isTyped = [...modal.querySelectorAll("textarea")].some(({ value }) => value.trim());
    if (!question || !isTyped) return false;
    question.hidden = false;
    question.querySelector("button").focus();
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("form.decide");
    if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
    if (!modal.open || proof.open) return;
    event.stopPropagation();
    if (event.key === "Escape" && !event.isComposing && stays()) event.preventDefault();
  }, true);

  modal.addEventListener("cancel", (event) => { if (stays()) event.preventDefault(); });

  document.addEventListener("click", (event) => {
    const { target } = event;
    const question = target.closest(".discard");
    if (question && target.closest("[data-keep]")) {
      question.hidden = true;
      modal.querySelector("textarea").focus();
    } else if (!question && (target === modal || target.closest("#modal [data-close-modal]")) && stays()) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  document.addEventListener("keydown", (event) => {
    if (document.body.dataset.shortcuts === "off" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("textarea, select, input:not([type=checkbox]), details.menu[open]")) return;
    const row = event.target.closest(".case-row");
    if (row && event.key === "a") { // takes the row, or all that are selected
      const boxes = [...rows.querySelectorAll(".case-check input")];
      if (!boxes.some(({ checked }) => checked)) row.querySelector("input")?.click();
    }
    const to = event.key === "m" ? "/moderation/queue?queue=mine"
      : event.key === "e" && row?.querySelector("input") && row.dataset.href.replace("?", row.matches(".is-asked") ? "/answer?" : "/senior?");
    if (to) {
      event.preventDefault();
      location.assign(to);
      return;
    }
    const pressed = event.key === "x" ? row?.querySelector("input") : document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const target = pressed || (event.key === "n" && (link(".is-open + .case-row") || link(".case-row:not(.is-open)")));
    if (!target) return;
    event.preventDefault();
    if (target.matches("button")) target.focus(); // where it comes back to from the dialog
    target.click();
  });
})();
