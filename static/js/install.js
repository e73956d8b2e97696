// The page that says how to install the site: a button where the browser lets pages ask, and where it is installed, that.
let ask = null;
const button = document.querySelector("[data-install]"), done = document.querySelector("[data-installed]");
const isInstalled = () => navigator.standalone || matchMedia("(display-mode: standalone)").matches;

function show() {
  done.hidden = !isInstalled();
  button.closest("p").hidden = !ask;
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // it is asked for here, not in a bar
  ask = event;
  show();
});
addEventListener("appinstalled", () => { ask = null; show(); });
button.addEventListener("click", async () => {
  const asked = ask;
  ask = null; // it asks once
  await asked.prompt();
  show();
});
show();
