// "Copy link" puts the address into the clipboard. Where browsers keep that back (without HTTPS) it stays a plain link.
{
  const said = document.getElementById("toasts")?.dataset.copied;

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-copy]");
    if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.dispatchEvent(new CustomEvent("sent", { bubbles: true }));
    navigator.clipboard.writeText(link.href).then(
      () => document.body.dispatchEvent(new CustomEvent("toast", { detail: { text: said, level: "success" } })),
      () => location.assign(link.href),
    );
  });
}
