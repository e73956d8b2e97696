// A menu (<details class="menu">, one of which is open) closes by Escape and once an entry of it has done its work, which
// give the focus back, and when one goes on elsewhere.
for (const name of ["click", "focusin", "keydown", "sent"]) {
  document.addEventListener(name, ({ target, key }) => {
    const menu = document.querySelector("details.menu[open]");
    const isBack = key === "Escape" || name === "sent";
    if (!menu || (key ? !isBack : menu.contains(target) !== isBack)) return;
    menu.open = false;
    if (isBack) menu.querySelector("summary").focus();
  });
}
