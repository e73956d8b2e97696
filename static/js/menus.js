// Menus (<details class="menu">) close by Escape, and when an entry has done its work, which gives the focus back, and when
// one goes on elsewhere.
(() => {
  const open = () => document.querySelectorAll("details.menu[open]");

  function closeMenus(except) {
    for (const menu of open()) if (!menu.contains(except)) menu.open = false;
  }

  document.addEventListener("click", (event) => closeMenus(event.target));
  document.addEventListener("focusin", (event) => closeMenus(event.target));

  function leave(menu) {
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  }

  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") leave(open()[0]); });
  document.addEventListener("sent", ({ target }) => leave(target.closest("details.menu")));
})();
