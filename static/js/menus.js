// A menu (<details class="menu">, one of which is open) closes by Escape, and when an entry has done its work, which gives
// the focus back, and when one goes on elsewhere.
for (const name of ["click", "focusin", "keydown", "sent"]) {
  document.addEventListener(name, ({ target, key }) => {
    const menu = document.querySelector("details.menu[open]");
    if (!menu || (key ? key !== "Escape" : menu.contains(target) && name !== "sent")) return;
    menu.open = false;
    if (key || name === "sent") menu.querySelector("summary").focus();
  });
}
