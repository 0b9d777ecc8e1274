// What a machine must have to go on with a bubble. A label is proven by the machine that offers it: `has-codex` means that the
// program was found there and answers.
import type { State } from "../model/state.ts";

/** The label of a machine on which this adapter's program answers. */
export const nameAdapterLabel = (adapter: string): string =>
  `has-${adapter.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

/** The labels that the next turn asks for. Between turns, what is owed can be done by any machine. */
export function listNeededLabels({ config, turn }: Pick<State, "config" | "turn">): string[] {
  return turn ? [nameAdapterLabel(config.agent[turn.agent]?.adapter ?? turn.agent)] : [];
}
