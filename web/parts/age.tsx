// How long ago something was, exact on hover and for machines.
import { since } from "../live/clock.ts";

export function Age({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {since(at)}
    </time>
  );
}
