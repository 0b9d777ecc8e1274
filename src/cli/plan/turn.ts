// A planner's turn for a plan, in a bubble of its own and driven from this terminal: exploring, or splitting into tasks.

import { isBranchTaken } from "../../app/making/names.ts";
import type { Payload } from "../../app/workflows/file.ts";
import { createWorld } from "../../app/world/world.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { State } from "../../core/model/state.ts";
import { load } from "../../engine/front/command.ts";
import type { World } from "../../engine/front/world.ts";
import { answerHere } from "../answer/here.ts";
import { makeBubbleHere } from "../new-bubble/new-bubble.ts";
import { confirmAt } from "../operator/trust.ts";
import { startTelling } from "../screens/start-here.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

export interface PlanTurn {
  readonly repo: string;
  /** The first name for its bubble; one that has ended is followed by another. */
  readonly id: string;
  readonly workflow: string;
  readonly task: string;
  readonly payload: Payload;
  readonly agents: readonly string[];
  /** Confirms what the planner's settings run. */
  readonly yes: boolean;
  /** What a person types to continue with it. */
  readonly again: string;
}

/** The bubble of that name that has not ended yet. */
export async function openTurn(world: World, repo: string, id: string): Promise<State | undefined> {
  return (await findNames(world, repo, id)).open;
}

async function findNames(world: World, repo: string, id: string): Promise<{ free: string; open?: State }> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? id : `${id}-${n}`;
    const { state } = (await world.records.exists(name)) ? await load(world, name) : { state: undefined };
    if (state && !isFinal(state.lifecycle)) return { free: name, open: state };
    // A bubble that was deleted has left its branch behind.
    const branch = { id: name, repo_path: repo, bubble_branch: `bubble/${name}` };
    if (!state && !(await isBranchTaken(branch))) return { free: name };
  }
}

/** Runs it, or continues with it, until it has ended or waits for somebody. */
export async function takeTurn(
  shell: Shell,
  turn: PlanTurn,
): Promise<{ readonly ended?: State; readonly result: CommandResult }> {
  const signal = createStopSignal();
  const world = createWorld(turn.repo, "process");
  const { free, open } = await findNames(world, turn.repo, turn.id);
  if (!open) {
    const { refusal } = await makeBubbleHere(shell, buildFlags(turn), {
      id: free,
      workflow: turn.workflow,
      task: `${turn.task.trimEnd()}\n`,
      payload: turn.payload,
      startsIn: "process",
    });
    if (refusal) return { result: { refusal } };
  }
  const confirm = confirmAt(shell, turn.yes);
  const call = { world, bubble: open?.bubbleId ?? free, via: "cli", confirm } as const;
  if (!open || open.lifecycle === "CREATED" || open.lifecycle === "PREPARING_WORKSPACE") {
    const { refusal } = await startTelling(shell, call, "process", { signal });
    if (refusal) return { result: { refusal } };
  }
  const { state, result } = await answerHere(shell, call, { signal });
  return state.lifecycle === "DONE"
    ? { ended: state, result }
    : { result: buildStoppedResult(state, result, turn.again) };
}

/** It asks, it has ended, or the person at the terminal has left it. */
function buildStoppedResult(state: State, result: CommandResult, again: string): CommandResult {
  const { bubbleId, lifecycle, turn } = state;
  if (isFinal(lifecycle)) return result;
  if (lifecycle !== "RUNNING") return { ...result, text: `${result.text ?? ""}\nNext: ${again}   continues` };
  const own = turn ? `; ${turn.agent} ends its turn by itself` : "";
  const text = [
    `Left ${bubbleId}: nothing is lost${own}`,
    `Next: ${again}   continues`,
    `Next: pairflow bubble stop --id ${bubbleId}   ends it for good`,
  ].join("\n");
  return { ...result, text };
}

/** A planner changes no file and runs no gate: there is nothing else to say about its bubble. */
const buildFlags = ({ repo, agents, yes }: PlanTurn) => ({
  ...{
    repo,
    yes,
    agent: agents,
    criterion: [],
    test: [],
    gate: [],
    "no-tests": false,
    "no-setup": true,
    "no-budget": false,
    set: [],
  },
  ...{ in: [], out: [], "do-not-touch": [] },
});
