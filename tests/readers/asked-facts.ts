// The words of a step with the facts of the record filled in, as the engine does it.

import { buildFacts } from "../../src/core/judge/facts.ts";
import type { State } from "../../src/core/model/state.ts";
import { fillText } from "../../src/core/workflow/template.ts";

/** Beside the step's own words the facts themselves: any workflow may refer to any of them. */
export function askedFacts(state: State, prompt = ""): string {
  const facts = buildFacts(state);
  return `${fillText(prompt, facts).text}\n${JSON.stringify(facts)}`;
}
