// The payload of the page that is shown, kept fresh: fetched when the page opens and whenever one of its keys has changed.
// The old one stays until a new one is there, whatever happens.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RefusedPayload } from "../../src/core/views/page/payload.ts";
import { fetchPayload, forget } from "./ask.ts";
import { onChanged } from "./stream.ts";

export interface Loaded<T> {
  readonly value: (T & { readonly at: string }) | undefined;
  /** Why the newest one could not be had. */
  readonly refused: RefusedPayload | undefined;
}

/** `everyMs`: for what no key tells of, such as a screen; it is asked for only while somebody looks. */
export function usePayload<T>(path: string, isAbout: (key: string) => boolean, everyMs?: number): Loaded<T> {
  const loaded = useSignal<Loaded<T>>({ value: undefined, refused: undefined });
  useEffect(() => {
    let isOver = false;
    const load = oneAtATime(async () => {
      const answer = await fetchPayload<T>(path);
      if (isOver) return;
      const { value } = loaded.value;
      if (answer === undefined) loaded.value = { value, refused: undefined };
      else if (answer.ok) loaded.value = { value: answer, refused: undefined };
      else loaded.value = { value, refused: answer };
    });
    forget(path);
    load();
    const stop = onChanged((keys) => {
      if (keys.includes("all") || keys.some(isAbout)) load();
    });
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || load(), everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, [path]);
  return loaded.value;
}

/** While one is under way a further call is remembered once: the last word is always asked for. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    await run();
    isBusy = false;
    if (!isWanted) return;
    isWanted = false;
    await start();
  };
  return () => void start();
}
