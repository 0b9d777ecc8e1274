// What is known beside the record while a bubble is looked at: its driver, gates that run, questions of children.
import type { State } from "../../model/state.ts";

export interface Liveness {
  readonly now: string;
  readonly driver?: {
    readonly pid: number;
    readonly host?: string;
    readonly seat: string;
    readonly doing?: string;
    readonly lastSignAt?: string;
  };
  /** Children, or children of one, whose questions hold this bubble up. */
  readonly asked?: readonly State[];
  /** Gates that run now, with the last line each has printed. */
  readonly gates?: readonly { readonly name: string; readonly since: string; readonly last: string }[];
}
