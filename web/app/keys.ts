// Keys of a page. They are off while somebody types and while a dialog is open, and can be switched off.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { tinykeys } from "tinykeys";

export interface Key {
  readonly key: string;
  readonly does: string;
  press(): void;
}

const off = "pairflow-keys-off";
export const areKeysOn = signal(localStorage.getItem(off) !== "1");

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn;
  if (isOn) localStorage.removeItem(off);
  else localStorage.setItem(off, "1");
}

/** Every key that works now, for the sheet that `?` shows. */
export const keysNow = signal<readonly Key[]>([]);

export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  const names = keys.map(({ key, does }) => `${key} ${does}`).join("\n");
  // With the page, not a frame later: who sees it can already type. Only other keys are told to the sheet, which would
  // otherwise draw itself for ever.
  useLayoutEffect(() => {
    const shown = latest.current;
    keysNow.value = [...keysNow.peek(), ...shown];
    const press = (index: number) => (event: KeyboardEvent) =>
      pressed(event, () => latest.current[index]?.press());
    const stop = tinykeys(window, Object.fromEntries(shown.map(({ key }, index) => [key, press(index)])));
    return () => {
      stop();
      keysNow.value = keysNow.peek().filter((key) => !shown.includes(key));
    };
  }, [names]);
}

function pressed(event: KeyboardEvent, press: () => void): void {
  const at = event.target as HTMLElement;
  const fields = "input:not([type=checkbox]), textarea, select, [contenteditable]";
  // The field of a dialog that was just closed keeps the focus for a moment.
  const isTyping = at.matches?.(fields) && !at.closest("dialog:not([open])");
  if (isTyping && event.key === "Escape" && !document.querySelector("dialog[open]")) leaveField(at);
  // Enter on a link or a button is that of the link or the button.
  if (event.key === "Enter" && at.matches?.("a, button, summary")) return;
  if (isTyping || !areKeysOn.peek() || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  press();
}

/** Out of a field, to what it belongs to: there the keys are on again. */
function leaveField(field: HTMLElement): void {
  const around = field.closest<HTMLElement>("[tabindex='-1']:not(main)");
  if (around) around.focus();
  else field.blur();
}

/** Moves the focus among elements that match; the first one when none has it. */
export function focusNext(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
  const next =
    all[at === -1 ? (by === 1 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
