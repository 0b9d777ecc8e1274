// Which lines of a record only a person can have caused. Where people and machines write through different doors of one
// server, a line of this kind counts only through the people's door.
import type { Envelope } from "../model/record/envelope.ts";

/**
 * Decisions that grant something. Stops and pauses are not here: they grant nothing, and the driver of a parent puts them to
 * its children.
 */
const granting: ReadonlySet<Envelope["type"]> = new Set([
  "HUMAN_REPLY",
  "APPROVAL_DECISION",
  "COMMITTED",
  "GATES_WAIVED",
  "SCOPE_OVERRIDDEN",
  "UNLOCKED",
  "STEP_REDONE",
  "RESUMED",
  "TREE_RESTORED",
]);

export function needsPerson({ type }: Pick<Envelope, "type">): boolean {
  return granting.has(type);
}
