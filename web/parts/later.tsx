// A page whose code comes when it is wanted.
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";

type Found<T> = (props: { readonly at: T }) => ComponentChild;

interface LaterProps<T> {
  readonly at: T;
  load(): Promise<Found<T>>;
}

export function Later<T>({ load, at }: LaterProps<T>) {
  const [Page, setPage] = useState<Found<T> | undefined>(undefined);
  useEffect(() => {
    void load().then((found) => setPage(() => found));
  }, []);
  return Page ? <Page at={at} /> : <p class="quiet">Loading …</p>;
}
