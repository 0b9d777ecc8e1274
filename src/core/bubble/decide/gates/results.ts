// What the gates said about a tree: red goes to the producer; what was killed is run once more; what cannot run, stays
// red without a change, or judges something else goes to a human, who is told its name.

import { keepHeadAndTail } from "../../../gates/output/excerpt.ts";
import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { advance } from "../../../interpreter/interpret.ts";
import { isGreen, listRedGates } from "../../../judge/convergence.ts";
import {
  listBrokenGates,
  listFirstKilled,
  listRedAgain,
  mergeGateResults,
} from "../../../judge/gate-runs/repeated.ts";
import type { GateResult } from "../../../model/gate.ts";
import type { State } from "../../../model/state.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { rejectOption } from "../../../questions/common-options.ts";
import { getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";

/** What one line of the transcript holds of paths and outputs, in bytes; the artifact has the whole. */
export const room = { paths: 4_000, excerpts: 24_000 };

/** Gate results bind to one tree. Red → the producer; unrunnable, void twice or red twice → a human. */
export const decideGates: Rule<"gates-ran"> = (batch, command) => {
  const step = getCurrentStep(batch.state);
  const { tree, changed, put_back, output } = command;
  if (step?.kind !== "gates" || batch.state.lifecycle !== "RUNNING" || tree !== batch.state.tree?.id)
    return refuseNotDue("this gate run");
  // What was said on a clean checkout is no run in the worktree: a gate that differs there is not flaky.
  const known = batch.state.gates?.clean ? undefined : batch.state.gates;
  const earlier = known?.tree === tree ? known : undefined;
  const attempt = (earlier?.attempt ?? 0) + 1;
  const again = changed.length > 0 ? [] : listFirstKilled(batch.state, earlier, command.results);
  batch.write(
    "GATES_RESULT",
    {
      tree,
      attempt,
      results: shortenResults(mergeGateResults(earlier, command.results)),
      changed: takeFitting(changed, room.paths),
      put_back: takeFitting(put_back, room.paths),
      output,
      ...(command.commit_message === undefined ? {} : { commit_message: command.commit_message }),
      ...(again.length > 0 ? { again } : {}),
    },
    { refs: [`artifact://${output}`] },
  );
  if (changed.length > 0) {
    if (attempt >= 2) askAboutWrites(batch, changed);
  } else if (again.length === 0) settleGates(batch, listRedAgain(known, tree, command.results));
};

/** What follows from the results that count now. Red gates named as stubborn go to a human, others to the producer. */
export function settleGates(batch: DecisionBatch, stubborn: readonly string[]): void {
  const broken = listBrokenGates(batch.state);
  if (broken.length > 0) {
    askAboutBroken(batch, broken);
    return;
  }
  const red = listRedGates(batch.state);
  const asked = red.filter((name) => stubborn.includes(name));
  if (red.length === 0)
    advance(
      batch,
      "success",
      `gates are green on this tree${describeWaived(batch.state)}${describeFlaky(batch.state)}`,
    );
  else if (asked.length > 0) askAboutStubborn(batch, asked);
  else advance(batch, "fail", `${red.join(", ")} failed on this tree; the reviewer was not asked`);
}

/** A person who reads why the loop continued should know what a human has signed for, and what passed only when run again. */
function describeWaived(state: State): string {
  const red = (state.gates?.results ?? []).filter((result) => result.required && !isGreen(result));
  return red.length === 0 ? "" : `, except for what is waived: ${red.map(({ name }) => name).join(", ")}`;
}

function describeFlaky({ gates }: State): string {
  const names = (gates?.results ?? []).flatMap(({ name, flaky }) => (flaky ? [name] : []));
  return names.length === 0 ? "" : `; ${names.join(", ")} failed before and passed when run again (flaky)`;
}

/** Every result, with as much of its output as all of them leave room for. */
export function shortenResults(results: readonly GateResult[]): GateResult[] {
  const each = Math.floor(room.excerpts / Math.max(3, results.length));
  const paths = Math.floor(room.paths / Math.max(1, results.length));
  return results.map((result) => ({
    ...result,
    excerpt: keepHeadAndTail(result.excerpt, each),
    ...(result.wrote ? { wrote: takeFitting(result.wrote, paths) } : {}),
  }));
}

function askAboutWrites(batch: DecisionBatch, changed: readonly string[]): void {
  const files = changed.slice(0, 5).join(", ");
  const what = `Something changes files of the tree while the gates judge it (${files}), so their result counts for nothing`;
  ask(batch, `${what}. Look for what writes there besides the gates, then choose again.`, []);
}

function askAboutBroken(batch: DecisionBatch, broken: readonly GateResult[]): void {
  const hints = broken.map(({ name, hint }) => `${name}: ${hint ?? "cannot run"}`);
  const names = broken.map(({ name }) => name);
  ask(batch, `A required gate cannot run (${hints.join("; ")}). Fix it, then choose again.`, names);
}

function askAboutStubborn(batch: DecisionBatch, names: readonly string[]): void {
  const results = batch.state.gates?.results ?? [];
  const writers = names.filter((name) => results.find((result) => result.name === name)?.wrote);
  const red = names.filter((name) => !writers.includes(name));
  const said = [
    red.length > 0 ? `${red.join(", ")} failed again on the same tree (${batch.state.position.why})` : "",
    writers.length > 0
      ? `${writers.join(", ")} changes the files it judges, and the producer has had its patch once`
      : "",
  ];
  ask(batch, `${said.filter(Boolean).join("; ")}. What now?`, names);
}

/** Exactly the answers that are accepted, the harmless one first: plain words mean it. */
function ask(batch: DecisionBatch, question: string, gates: readonly string[]): void {
  const named = gates.join(", ");
  batch.write("HUMAN_QUESTION", {
    question: clip(question, 8000),
    kind: "gates",
    ...(gates.length > 0 ? { gates: [...gates] } : {}),
    options: [
      { key: "again", does: `runs ${clip(named, 200) || "the gates"} again on the same tree` },
      ...(gates.length > 0
        ? [{ key: "waive", does: "it need not pass in this bubble, with your reason; the package says so" }]
        : []),
      { key: "rework", does: "the producer goes again with your message" },
      rejectOption(batch.state),
    ],
  });
}

/** A human says that the gates can run now, those of a round or the final ones: the step that asks for them is entered anew. */
export function runGatesAgain(batch: DecisionBatch): void {
  const step = getCurrentStep(batch.state);
  if (step?.kind !== "gates" && step?.kind !== "approval") return;
  batch.write("STEP_ADVANCED", {
    from: step.name,
    outcome: "retry",
    to: step.name,
    why: "a human says that the gates can run now",
    round: batch.state.round,
  });
}
