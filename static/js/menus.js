// Menus (<details class="menu">) close by Escape, which gives the focus back, and when one goes on elsewhere.
(() => {
  const open = () => document.querySelectorAll("details.menu[open]");

  function closeMenus(except) {
    for (const menu of open()) if (!menu.contains(except)) menu.open = false;
  }

  document.addEventListener("click", (event) => closeMenus(event.target));
  document.addEventListener("focusin", (event) => closeMenus(event.target));

  document.addEventListener("keydown", (event) => {
    const [menu] = event.key === "Escape" ? open() : [];
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
})();
