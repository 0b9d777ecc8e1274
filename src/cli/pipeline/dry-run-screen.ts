// Walking a workflow with scripted agents: each step as it is left, questions answered with their first option, and the result at
// the end.

import { findRepo } from "../../app/host/locate.ts";
import { decideAndDrive } from "../../app/operate/driver.ts";
import { approveBubble, commitBubble, prepareSigning } from "../../app/operate/sign.ts";
import { startBubble } from "../../app/operate/start.ts";
import { type DryRun, prepareDryRun } from "../../app/rehearsal/dry-run.ts";
import type { Payload } from "../../app/workflows/file.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { driveTelling } from "../screens/drive-here.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

/** A workflow that asks more often than this is not going anywhere. */
const mostStops = 100;

export interface DryRunFlags {
  readonly workflow: string;
  readonly payload: Payload;
  readonly rejections: number;
  readonly repo?: string;
}

export async function runDryRun(shell: Shell, { repo, ...flags }: DryRunFlags): Promise<CommandResult> {
  const run = await prepareDryRun({
    ...flags,
    cwd: shell.cwd,
    repo: findRepo(repo ?? shell.cwd) ?? shell.cwd,
  });
  try {
    (shell.json ? shell.say : shell.print)(
      `Dry run of ${run.program.id} with scripted agents, in a throw-away repository`,
    );
    const signal = createStopSignal();
    const started = await startBubble(run, "process", { signal });
    if (started.refusal) throw toDryRunFailure(started.refusal);
    const { state, steps } = await walk(shell, run, signal);
    return {
      text: `${getResult(state)}\nNothing of the project was touched.`,
      json: {
        workflow: { id: run.program.id },
        ...{ steps, result: state.result?.result ?? null, state: state.lifecycle },
      },
    };
  } finally {
    await run.world.processes.end(`${run.world.tag}/*`);
    run.close();
  }
}

interface Walked {
  readonly state: State;
  readonly steps: readonly { readonly step: string; readonly outcome: string }[];
}

async function walk(shell: Shell, run: DryRun, signal: AbortSignal): Promise<Walked> {
  const steps: { step: string; outcome: string }[] = [];
  const tell = (envelope: Envelope) => {
    if (envelope.type !== "STEP_ADVANCED") return;
    const { from, outcome, round } = envelope.payload;
    if (from === null) return;
    steps.push({ step: from, outcome });
    shell.say(`  ${from} → ${outcome}  (round ${round})`);
  };
  for (let stops = 0; stops < mostStops; stops++) {
    const state = await driveTelling(shell, run, tell, signal);
    if (isFinal(state.lifecycle)) return { state, steps };
    if (state.lifecycle === "READY_FOR_APPROVAL") return { state: await sign(shell, run), steps };
    if (state.lifecycle !== "WAITING_HUMAN") throw toStuckFailure(state);
    await answer(shell, run, state);
  }
  throw new Failure("dry-run.endless", `a human was asked ${mostStops} times and it has not ended`);
}

/** The first option; a question without any gets words. */
async function answer(shell: Shell, run: DryRun, state: State): Promise<void> {
  const [question] = state.questions;
  if (!question) throw toStuckFailure(state);
  const choice = question.options?.[0]?.key;
  shell.say(`  ? ${question.text.split("\n")[0]}  → ${choice ?? "an answer in words"}`);
  const replied = await decideAndDrive(
    { ...run, via: "operator-key" },
    {
      type: "reply",
      message: "Answered by the dry run",
      question: question.id,
      ...(choice === undefined ? {} : { choice }),
    },
    false,
  );
  if (replied.refusal) throw toDryRunFailure(replied.refusal);
}

async function sign(shell: Shell, run: DryRun): Promise<State> {
  const call = { ...run, via: "operator-key" } as const;
  shell.say("  ? approval is asked for  → approved");
  const { digest } = await prepareSigning(call);
  const signed = await approveBubble(call, digest, "");
  if (signed.refusal) throw toDryRunFailure(signed.refusal);
  const done = await commitBubble(call);
  if (done.refusal || !done.state) throw toDryRunFailure(done.refusal);
  return done.state;
}

function getResult({ result, lifecycle, end, position }: State): string {
  if (result) return `Result: ${result.result} · ${result.why}`;
  return `Result: ${lifecycle}${end ? ` · ${end.message}` : ` · ${position.why}`}`;
}

const toDryRunFailure = (refusal: Refusal | undefined) =>
  new Failure(refusal?.code ?? "dry-run.stuck", refusal?.message ?? "the dry run stopped");

const toStuckFailure = (state: State) =>
  new Failure(
    "dry-run.stuck",
    `the dry run stopped in ${state.lifecycle} at ${state.position.step}: ${state.position.why}`,
    { hint: "pairflow workflow show <name-or-file> prints the steps" },
  );
