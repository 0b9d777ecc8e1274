// What the header says: told by whichever payload came last, and the same in the tab's title.
import { effect, signal } from "@preact/signals";
import type { PageHeader } from "../../src/core/views/page/payload.ts";

export const header = signal<PageHeader | undefined>(undefined);

export function tellHeader({ words, repositories, waiting }: PageHeader): void {
  const known = header.peek();
  const told = { words, repositories, waiting: waiting ?? known?.waiting ?? null };
  if (JSON.stringify(known) !== JSON.stringify(told)) header.value = told;
}

effect(() => {
  const waiting = header.value?.waiting ?? 0;
  document.title = waiting > 0 ? `(${waiting}) Pairflow` : "Pairflow";
});
