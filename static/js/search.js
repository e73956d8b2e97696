// The people found below the search field of the right column: arrow keys walk through them, Escape and leaving hide them.
(() => {
  const found = document.getElementById("side-found");
  const form = found?.closest("form");
  if (!form) return;
  const field = form.querySelector("input[type=search]");

  function walk(step) {
    const stops = [field, ...found.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement) + step;
    if (!found.hidden) stops[Math.min(Math.max(at, 0), stops.length - 1)].focus();
  }

  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const closes = event.key === "Escape" && !found.hidden && found.childElementCount;
    if (!step && !closes) return;
    event.preventDefault(); // in the field, Escape would clear it
    if (step) return walk(step);
    field.focus();
    found.hidden = true;
  });
  form.addEventListener("input", () => { found.hidden = false; });
  for (const name of ["focusin", "click"]) {
    document.addEventListener(name, ({ target }) => { found.hidden = !form.contains(target); });
  }
})();
