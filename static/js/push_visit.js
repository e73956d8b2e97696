// Looks once an hour, and at each new sign-in, which proving who one is makes too, whether what this browser gave for push is still this sign-in's and for the
// site's present key. It renews what is, and ends what is not: two people may use one browser. Without push nothing is asked.
{
  const NAME = "push", act = document.getElementById("act");
  const mark = `${new Date().toISOString().slice(0, 13)} ${act?.dataset.s ?? ""}`;

  async function hash(text) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 20);
  }

  async function bring(subscription, key) {
    const { endpoint, keys } = subscription.toJSON();
    const body = new URLSearchParams({ endpoint, ...keys, key, renews: "on" });
    body.set("csrfmiddlewaretoken", act.elements.csrfmiddlewaretoken.value);
    await fetch("/settings/notifications/push/devices", { method: "POST", body });
  }

  function isFor(subscription, key) {
    const given = subscription.options.applicationServerKey;
    if (!given) return true;
    const text = btoa(String.fromCharCode(...new Uint8Array(given)));
    return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
  }

  async function look() {
    const registration = await navigator.serviceWorker?.getRegistration("/");
    let subscription = await registration?.pushManager?.getSubscription();
    if (!subscription || localStorage.getItem(NAME) === mark) return;
    const answer = await fetch("/settings/notifications/push/state");
    if (!answer.ok) return;
    const { key, device, renews } = await answer.json();
    if (!device) {
      await subscription.unsubscribe();
    } else if (key) {
      const isCurrent = isFor(subscription, key);
      if (!isCurrent) {
        await subscription.unsubscribe();
        subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      }
      if (!isCurrent || renews || device !== await hash(subscription.endpoint)) await bring(subscription, key);
    }
    localStorage.setItem(NAME, mark);
  }

  look().catch(() => {});
}
