// What every kind of records says about a bubble that is not there, or is there already.
import { Failure } from "../../ports/failure.ts";

export function toBubbleNotFound(bubble: string): Failure {
  return new Failure("bubble.not-found", `There is no bubble ${bubble}.`, { hint: "pairflow bubble list" });
}

export function toBubbleExists(bubble: string): Failure {
  return new Failure("bubble.exists", `There is already a bubble ${bubble}.`, {
    hint: `Choose another id, or look at it: pairflow bubble status --id ${bubble}`,
  });
}
