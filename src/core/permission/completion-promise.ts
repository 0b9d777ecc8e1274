// The words by which a producer says that its work is complete. They are a claim: gates and critics decide.
import type { State } from "../model/state.ts";

const usual = "<promise>IMPLEMENTATION_COMPLETE</promise>";

/** What the producer of this run has to say. */
export function getCompletionPromise({ papers, program }: Pick<State, "papers" | "program">): string {
  const planned = papers?.["plan-refined"]?.value.completion_promise;
  if (typeof planned === "string" && planned.trim()) return planned;
  const settings = program.payload?.settings;
  const set =
    typeof settings === "object" && settings !== null && "completion_promise" in settings
      ? settings.completion_promise
      : undefined;
  return typeof set === "string" && set.trim() ? set : usual;
}
