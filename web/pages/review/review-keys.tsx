// The keys of the review: everything by hand on the keyboard, from the first file to the signature.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { focusNext, useKeys } from "../../app/keys.ts";
import { isViewed, type Reading } from "./reading.ts";
import { fileId } from "./side.tsx";
import { comparisons } from "./trees.tsx";

interface KeysProps {
  readonly page: ReviewPage;
  readonly reading: Reading;
  choose(query: string): void;
}

export function ReviewKeys({ page, reading, choose }: KeysProps) {
  const decides = page.sign?.does;
  useKeys([
    { key: "]", does: "next file", press: () => focusNext(".file", 1) },
    { key: "[", does: "previous file", press: () => focusNext(".file", -1) },
    { key: "n", does: "next finding", press: () => focusNext(".finding", 1) },
    { key: "p", does: "previous finding", press: () => focusNext(".finding", -1) },
    { key: "j", does: "next line", press: () => focusNext(lines, 1) },
    { key: "k", does: "previous line", press: () => focusNext(lines, -1) },
    { key: "v", does: "viewed, and the next file", press: () => viewedAndNext(page, reading) },
    {
      key: "c",
      does: "comment on this line",
      press: commentAtFocus,
    },
    { key: "f", does: "since I looked", press: () => sinceLooked(page, choose) },
    { key: "s", does: "side by side, or not", press: () => toggle(reading.isSplit) },
    { key: "w", does: "hide white space, or not", press: () => toggle(reading.ignoresSpace) },
    { key: ".", does: "the whole file", press: () => wholeFile(reading) },
    ...(decides === "approve"
      ? [{ key: "Shift+R", does: "rework", press: () => pressButton("rework") }]
      : []),
    ...(decides ? [{ key: "Shift+A", does: decides, press: () => pressButton("approve") }] : []),
  ]);
  return null;
}

const pressButton = (id: string): void => document.getElementById(id)?.click();

const lines = ".line .number button";

/** On the line that has the focus; without one, on the first line of the file. */
function commentAtFocus(): void {
  const focused = document.activeElement as HTMLElement | null;
  const line = focused?.matches(lines) ? focused : fileAtFocus()?.querySelector<HTMLElement>(lines);
  line?.click();
}

function toggle(what: { value: boolean }): void {
  what.value = !what.value;
}

function fileAtFocus(): HTMLElement | null {
  return (
    document.activeElement?.closest<HTMLElement>(".file") ?? document.querySelector<HTMLElement>(".file")
  );
}

function viewedAndNext(page: ReviewPage, reading: Reading): void {
  const file = page.files.find(({ path }) => fileId(path) === fileAtFocus()?.id);
  if (!file) return;
  reading.setViewed(file.path, isViewed(reading, file) ? null : file.blob);
  const next = page.files.find((other) => !isViewed(reading, other));
  const place = next && document.getElementById(fileId(next.path));
  place?.focus();
  place?.scrollIntoView({ block: "start" });
}

function sinceLooked(page: ReviewPage, choose: (query: string) => void): void {
  const found = comparisons(page).find(({ name }) => name === "since I looked");
  if (found) choose(found.query);
}

function wholeFile(reading: Reading): void {
  const path = fileAtFocus()?.getAttribute("aria-label") ?? "";
  reading.whole.value = reading.whole.value === path ? "" : path;
}
