// The test commands of papers become gates of the run. Pairflow runs them itself, outside the agents' sandbox: what no
// human has approved is asked about first.
import type { Book } from "../bubble/book.ts";
import { adoptedGates } from "../gates/adopted.ts";
import type { State } from "../model/state.ts";
import type { Ended } from "./came.ts";
import { recordOf } from "./step-facts.ts";

export function adoptCommands(book: Book): Ended {
  const { state } = book;
  const { gates, unapproved } = adoptedGates({
    story: state.papers?.["user-story"]?.value,
    plan: state.papers?.["plan-refined"]?.value,
    profile: state.profile.gates,
    approvedCommands: allowed(state),
  });
  if (unapproved.length > 0)
    return {
      outcome: "unapproved",
      why: `no human has approved these commands: ${unapproved.join("; ")}`,
      output: { commands: unapproved },
    };
  const known = JSON.stringify(gates) === JSON.stringify(state.profile.gates);
  if (!known) book.write("GATES_ADOPTED", { gates: [...gates], from: Object.keys(state.papers ?? {}) });
  return {
    outcome: "adopted",
    why: "the test commands of the plan are gates",
    output: { commands: gates.map(({ command }) => command) },
  };
}

/** The commands that a human has allowed when this run asked. */
function allowed(state: State): string[] {
  const questions = state.program.steps.flatMap((step) =>
    step.kind === "question" && step.ask === "commands" ? [recordOf(state, step.name)] : [],
  );
  const given = questions.filter((record) => record?.output?.decision === "allow");
  return given.length > 0 ? asked(state) : [];
}

/** What the newest step of this kind has asked about. */
function asked({ program, steps }: State): string[] {
  return program.steps.flatMap((step) => {
    const commands = step.kind === "adopt" ? steps?.[step.name]?.output?.commands : undefined;
    return Array.isArray(commands) ? commands.map(String) : [];
  });
}
