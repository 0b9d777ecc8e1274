// What can be said about a run of a plan, whether it begins with a topic or with a committed plan.
import { buildUsageError } from "../../app/host/usage.ts";

export const parallelFlag = {
  kind: "number",
  value: "N",
  about: "tasks side by side, where they do not need each other's files; 2 if left out",
} as const;

export const runFlags = {
  headless: { kind: "switch", about: "no panes, driven from this terminal; there is no other way" },
  detach: { kind: "switch", about: "drive in the background and return" },
} as const;

const most = 64;

export function checkParallel(given = 2): number {
  if (Number.isInteger(given) && given >= 1 && given <= most) return given;
  throw buildUsageError(
    "usage.bad-number",
    `--parallel ${given}: 1 to ${most} tasks side by side`,
    "--parallel 2",
  );
}
