// The keys of home. They act on the item that has the focus; `a` opens what would be signed and never signs.
import { focusNext, type Key } from "../../app/keys.ts";
import { go } from "../../app/route.ts";

const itemAtFocus = (): Element | null => document.activeElement?.closest(".item") ?? null;

function follow(selector: string): void {
  const link = itemAtFocus()?.querySelector<HTMLAnchorElement>(selector);
  if (link) go(link.pathname);
}

const choices = Array.from(
  { length: 9 },
  (_, index): Key => ({
    key: String(index + 1),
    does: `option ${index + 1}`,
    press: () => itemAtFocus()?.querySelectorAll<HTMLButtonElement>(".options button")[index]?.click(),
  }),
);

export const inboxKeys: readonly Key[] = [
  { key: "j", does: "next", press: () => focusNext(".item", 1) },
  { key: "k", does: "previous", press: () => focusNext(".item", -1) },
  { key: "Enter", does: "open the bubble", press: () => follow("h3 a") },
  { key: "r", does: "reply", press: () => itemAtFocus()?.querySelector("textarea")?.focus() },
  { key: "a", does: "read what would be signed", press: () => follow(".way a.button") },
  ...choices,
];
