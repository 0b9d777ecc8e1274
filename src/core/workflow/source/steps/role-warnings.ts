// What the author of a workflow of steps should know about its roles: nobody plays one, or one model plays two.
import type { BubbleConfig } from "../../../model/config.ts";
import type { Loop, Step } from "../../../model/program.ts";
import type { WorkflowProblem } from "../../problem.ts";
import { findAgentOfRole, isSameModel } from "../agents.ts";
import type { SourcePath } from "../draft.ts";
import { warnNotConfigured } from "../tasks/warnings.ts";

interface Turn {
  readonly role: string;
  readonly path: SourcePath;
}

/** `roleAt` is where the role of the step with this number is written. */
export function warnAboutRoles(
  steps: readonly Step[],
  loop: Loop,
  config: BubbleConfig,
  roleAt: (step: number) => SourcePath,
): WorkflowProblem[] {
  const turns = steps.flatMap((step, i) =>
    step.kind === "turn" && typeof step.role === "string" ? [{ role: step.role, path: roleAt(i) }] : [],
  );
  const firsts = turns.filter(({ role }, i) => turns.findIndex((other) => other.role === role) === i);
  const loose = firsts
    .filter(({ role }) => findAgentOfRole(role, config) === undefined)
    .map(({ role, path }) => warnNotConfigured(role, path));
  return [...loose, ...warnAlike(firsts, loop, config)];
}

/** Where the roles take turns, one agent in both is known to be weak; where they are fixed, it judges itself. */
function warnAlike(turns: readonly Turn[], loop: Loop, config: BubbleConfig): WorkflowProblem[] {
  const { producer, critic, role_switch } = loop;
  const path = turns.find(({ role }) => role === critic)?.path;
  const one = findAgentOfRole(producer, config);
  const other = critic === undefined ? undefined : findAgentOfRole(critic, config);
  if (!path || one === undefined || other === undefined) return [];
  if (one === other)
    return role_switch === "never"
      ? [{ path, message: `${producer} and ${critic} are both played by ${one}` }]
      : [];
  if (!isSameModel(one, other, config)) return [];
  return [{ path, message: `${one} and ${other} are the same model: they share its blind spots` }];
}
