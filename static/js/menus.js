// A menu (<details class="menu">, one of which is open) closes by Escape, which gives the focus back, and when one goes on
// elsewhere.
for (const name of ["click", "focusin", "keydown"]) {
  document.addEventListener(name, ({ target, key }) => {
    const menu = document.querySelector("details.menu[open]");
    if (!menu || (key ? key !== "Escape" : menu.contains(target))) return;
    menu.open = false;
    if (key) menu.querySelector("summary").focus();
  });
}
