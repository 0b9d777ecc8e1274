// One stream of changes for all tabs of a browser: a lock elects the tab that listens, a channel tells the others. Every word
// of the server is a sign of life; without one for 25 seconds what is shown is called stale.
import { computed, effect, signal, untracked } from "@preact/signals";
import { now } from "./clock.ts";

type Word = { readonly keys: readonly string[] } | { readonly alive: true } | { readonly lost: true };

const staleMs = 25_000;
const channel = new BroadcastChannel("pairflow");
const lastSign = signal(Date.now());
const lostAt = signal<number | undefined>(undefined);
const listeners = new Set<(keys: readonly string[]) => void>();
let cursor = "";
/** The stream of all tabs, in the one that listens. */
let source: EventSource | undefined;

const isSilent = computed(() => now.value - lastSign.value > staleMs);

/** Since when nothing is known any more; undefined while the page is live. */
export const staleSince = computed<number | undefined>(() => {
  if (lostAt.value !== undefined) return lostAt.value;
  return isSilent.value ? lastSign.value : undefined;
});

/** Called with the keys of payloads that have changed; "all" when anything may have. */
export function onChanged(tell: (keys: readonly string[]) => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** An answer of the server is a sign of life too. */
export function hasAnswered(): void {
  lastSign.value = Date.now();
  lostAt.value = undefined;
}

function hear(word: Word): void {
  if ("lost" in word) {
    lostAt.value ??= Date.now();
    return;
  }
  hasAnswered();
  if ("keys" in word) for (const tell of listeners) tell(word.keys);
}

function say(word: Word): void {
  channel.postMessage(word);
  hear(word);
}

channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data);

function listenAlone(): void {
  const opened = new EventSource(`/api/events?since=${encodeURIComponent(cursor)}`);
  source = opened;
  const remember = ({ lastEventId }: MessageEvent) => {
    if (lastEventId) cursor = lastEventId;
  };
  opened.addEventListener("hello", (event) => {
    // What is shown was fetched before anybody listened, or before a break: something may have changed since.
    remember(event);
    say({ keys: ["all"] });
  });
  opened.addEventListener("alive", () => say({ alive: true }));
  opened.addEventListener("changed", (event) => {
    remember(event);
    say({ keys: JSON.parse(event.data) as string[] });
  });
  opened.onerror = () => {
    say({ lost: true });
    if (opened.readyState !== EventSource.CLOSED) return;
    opened.close();
    setTimeout(() => source === opened && listenAlone(), 2000);
  };
}

/** Begins to listen, in this tab or in the one that does already. */
export function startStream(): void {
  void navigator.locks.request("pairflow-stream", () => {
    listenAlone();
    return new Promise(() => {});
  });
  const again = () => {
    if (!document.hidden) for (const tell of listeners) tell(["all"]);
  };
  for (const name of ["pageshow", "online", "focus"]) addEventListener(name, again);
  document.addEventListener("visibilitychange", again);
  // After sleep a stream can look open and be dead: silence is answered by asking, and by a stream anew.
  effect(() => {
    if (isSilent.value) untracked(() => wake(again));
  });
}

function wake(again: () => void): void {
  if (source) {
    source.close();
    listenAlone();
  }
  again();
}
