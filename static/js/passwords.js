// "Show password" below each field of a password. What is sent is masked again, so that browsers know it for one.
(() => {
  const fieldOf = (button) => document.getElementById(button.getAttribute("aria-controls"));

  const show = (button, shown) => {
    fieldOf(button).type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", shown);
  };

  const unhide = () => document.querySelectorAll(".show-password").forEach((button) => (button.hidden = false));

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".show-password");
    if (button) show(button, button.getAttribute("aria-pressed") !== "true");
  });
  document.addEventListener("submit", (event) =>
    event.target.querySelectorAll(".show-password").forEach((button) => show(button, false)),
  );
  document.addEventListener("htmx:load", unhide);
  unhide();
})();
