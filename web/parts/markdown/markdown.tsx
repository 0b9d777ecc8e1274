// Markdown of agents and people as elements. It is read into tokens and no HTML exists at any time, so nothing must be cleaned.
// What reads it is loaded when the first text is shown; until then, and if it never comes, the text stands as it was written.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

type Render = (text: string) => ComponentChildren;

const render = signal<Render | undefined>(undefined);
let isAsked = false;

function load(): void {
  if (isAsked) return;
  isAsked = true;
  void import("./markdown-elements.tsx").then(({ elementsOf }) => {
    render.value = elementsOf;
  });
}

export function Markdown({ text }: { readonly text: string }) {
  load();
  const make = render.value;
  return make ? <div class="markdown">{make(text)}</div> : <div class="markdown prose">{text}</div>;
}
