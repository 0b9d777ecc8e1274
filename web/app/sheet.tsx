// The sheet of keys, and the keys that work on every page.
import { useRef } from "preact/hooks";
import { areKeysOn, keysNow, switchKeys, useKeys } from "./keys.ts";
import { go } from "./route.ts";

export function KeySheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys([
    { key: "g i", does: "inbox", press: () => go("/") },
    { key: "g b", does: "bubbles", press: () => go("/bubbles") },
    { key: "g p", does: "plans", press: () => go("/plans") },
    { key: "g w", does: "workflows", press: () => go("/workflows/pair") },
    { key: "g n", does: "insights", press: () => go("/insights") },
    { key: "Escape", does: "back", press: () => history.back() },
    { key: "/", does: "filter", press: () => document.getElementById("filter")?.focus() },
    { key: "Shift+?", does: "this sheet", press: () => dialog.current?.showModal() },
  ]);
  return (
    <dialog ref={dialog} class="sheet" aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {keysNow.value.map(({ key, does }) => (
          <div key={key + does}>
            <dt>
              <kbd>{key.replace("Shift+", "").replace("Escape", "esc").replace("Enter", "enter")}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="way">
        <label class="check">
          <input
            type="checkbox"
            checked={areKeysOn.value}
            onChange={(event) => switchKeys(event.currentTarget.checked)}
          />
          Keys are on
        </label>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </p>
    </dialog>
  );
}
