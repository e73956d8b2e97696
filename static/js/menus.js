// A menu (<details class="menu">, one of which is open) closes by Escape, and when an entry has done its work, which gives
// the focus back, and when one goes on elsewhere.
for (const name of ["click", "focusin", "keydown", "sent"]) {
  document.addEventListener(name, ({ target, key, type }) => {
    const menu = document.querySelector("details.menu[open]"), isDone = type === "sent";
    if (!menu || (key ? key !== "Escape" : menu.contains(target) !== isDone)) return;
    menu.open = false;
    if (key || isDone) menu.querySelector("summary").focus();
  });
}
