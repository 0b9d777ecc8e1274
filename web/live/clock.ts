// The time, once a second, and times as people say them: the same words as in the terminal.
import { signal } from "@preact/signals";

export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
document.addEventListener("visibilitychange", () => {
  now.value = Date.now();
});

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `4 s`, `12 min`, `3 h`, `2 d`: one unit is enough beside a row. */
export function duration(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  return ms < day ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / day)} d`;
}

export const since = (iso: string): string => duration(now.value - Date.parse(iso));
