// Passkeys: each form with data-options asks the browser, and brings its answer in the field `credential`.
(() => {
  const Key = window.PublicKeyCredential;
  let asking; // one question at a time: a press of a button ends the offer in the field of the account

  async function answer(form, { mediation } = {}) {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const options = JSON.parse(form.dataset.options);
    const credential = await (options.user
      ? navigator.credentials.create({ publicKey: Key.parseCreationOptionsFromJSON(options), signal })
      : navigator.credentials.get({ publicKey: Key.parseRequestOptionsFromJSON(options), mediation, signal }));
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    if (form.hasAttribute("hx-post")) form.dispatchEvent(new Event("answered"));
    else form.submit();
  }

  function explain(form, { name }) {
    const words = form.dataset;
    const said = { InvalidStateError: words.there, NotAllowedError: words.cancelled }[name] || words.failed;
    if (name !== "AbortError") form.querySelector("[role=status]").textContent = said;
  }

  if (!Key?.parseCreationOptionsFromJSON || !Key.parseRequestOptionsFromJSON) {
    const say = () => { for (const note of document.querySelectorAll("[data-no-passkeys]")) note.hidden = false; };
    say();
    document.addEventListener("shown", say); // in a dialog that came later
    return;
  }
  function prepare() {
    for (const form of document.querySelectorAll("form[data-options][hidden]")) {
      form.hidden = false;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        event.stopPropagation();
        answer(form).catch((error) => explain(form, error));
      });
      if ("offered" in form.dataset) {
        Key.isConditionalMediationAvailable?.().then((can) => can && answer(form, { mediation: "conditional" })).catch(() => {});
      }
    }
  }
  prepare();
  document.addEventListener("shown", prepare);
  const accepted = document.getElementById("accepted")?.dataset.accepted;
  if (accepted) Key.signalAllAcceptedCredentials?.(JSON.parse(accepted)).catch(() => {});
})();
