// A run of a plan from this terminal: made or continued, driven here or in the background, watched as a tree, and what
// to type when it stops. `execute` and `auto` stand on it.

import { readTree } from "../../app/execute/read-tree.ts";
import { ensureDriver } from "../../app/operate/driver.ts";
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import { createWorld } from "../../app/world/world.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { buildPauseView } from "../../core/views/bubble/pause.ts";
import { listOpenNodes, type TreeNode } from "../../core/views/tree/run.ts";
import { answerHere } from "../answer/here.ts";
import { confirmAt } from "../operator/trust.ts";
import { renderTree } from "../render/bubble/tree.ts";
import { driveOrFollow } from "../screens/drive-here.ts";
import { startTelling } from "../screens/start-here.ts";
import { createTreeScreen, type TreeScreen } from "../screens/tree.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import { buildLook, shortenPath } from "../terminal/style.ts";
import { isTerminal } from "../terminal/terminal.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

const lookMs = 300;

export interface PlanRun {
  readonly repo: string;
  readonly bubble: string;
  /** The plan it is a run of. */
  readonly slug: string;
  /** Drive in the background and return. */
  readonly detach: boolean;
  /** What a person types to continue with it. */
  readonly again: string;
  /** Confirms what its settings run. */
  readonly yes: boolean;
}

/** Starts it if need be, and stays with it until it rests. */
export async function continuePlan(shell: Shell, going: PlanRun): Promise<CommandResult> {
  const { repo, bubble, again } = going;
  const call: OperatorCall = {
    world: createWorld(repo, "process"),
    bubble,
    via: "cli",
    confirm: confirmAt(shell, going.yes),
  };
  const signal = createStopSignal();
  const refusal = await startOrWait(shell, call, signal);
  if (refusal) return { refusal };
  if (going.detach) {
    await ensureDriver(call);
    return {
      text: `${bubble} continues in the background\nNext: pairflow plan status ${going.slug}   shows it`,
      json: { bubble, tree: await readTree(call.world, bubble) },
    };
  }
  const screen = createTreeScreen(shell, call.world, bubble);
  const { state } = await answerHere(shell, call, {
    signal,
    drive: () => driveWatched(shell, call, screen, signal),
  });
  return renderClosing(shell, call, state, again);
}

/** Starts it; where another terminal is just doing so, waits for that one. */
async function startOrWait(
  shell: Shell,
  call: OperatorCall,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  for (;;) {
    const { lifecycle } = await loadCallState(call);
    if (lifecycle !== "CREATED" && lifecycle !== "PREPARING_WORKSPACE") return undefined;
    const { refusal, state } = await startTelling(shell, call, call.world.seats.kind, { signal });
    if (refusal && refusal.code !== "start.already") return refusal;
    if (refusal) {
      await call.world.clock.sleep(lookMs);
      continue;
    }
    shell.say(`Started ${call.bubble} in ${shortenPath(state?.workspace?.path ?? "", shell.cwd)}`);
    return undefined;
  }
}

/** Drives, or watches who drives already, until nothing happens without a human; a person here is asked at once. */
async function driveWatched(
  shell: Shell,
  call: OperatorCall,
  screen: TreeScreen,
  signal: AbortSignal,
): Promise<State> {
  const done = new AbortController();
  const leave = AbortSignal.any([signal, done.signal]);
  const watching = new AbortController();
  const watched = screen.watch(watching.signal, (tree) => {
    if (shell.interactive && listOpenNodes(tree).some(({ question }) => question)) done.abort();
  });
  try {
    return await driveOrFollow(call.world, call.bubble, {
      signal: leave,
      leaveWhenWaiting: true,
      onFailure: ({ message, code }) => shell.say(`Trouble: ${message} (${code})`),
    });
  } finally {
    watching.abort();
    await watched;
  }
}

/** Where it stands: what waits for a person and how it is answered, or how to continue. */
async function renderClosing(
  shell: Shell,
  { world, bubble }: OperatorCall,
  state: State,
  again: string,
): Promise<CommandResult> {
  const tree = await readTree(world, bubble);
  const needs = listOpenNodes(tree);
  const isOnItsWay = state.lifecycle === "RUNNING" && needs.length === 0;
  const paused = buildPauseView(state);
  const lines = paused
    ? [`${bubble} is ${paused.says}`, `Next: ${paused.command}`]
    : isOnItsWay
      ? renderLeft(tree, again)
      : renderStandingLines(tree, needs, again);
  // What was drawn on the terminal need not be said twice.
  const drawn = isTerminal(2)
    ? []
    : [renderTree(tree, { ...buildLook(shell, world.clock.now()), now: "" }), ""];
  return { text: [...drawn, ...lines].join("\n"), json: { bubble, state: state.lifecycle, tree } };
}

function renderLeft(tree: TreeNode, again: string): string[] {
  const busy = listBubblesAtWork(tree);
  const own = tree.agent ? [`${tree.agent} ends its turn by itself`] : [];
  const says = [...busy.map((bubble) => `${bubble} continues by itself`), ...own];
  return [
    `Left ${tree.bubble}: nothing is lost${says.length > 0 ? `; ${says.join(", ")}` : ""}`,
    ...(busy.length > 0 ? ["When one of them is done, the rest continues in the background"] : []),
    `Next: ${again}   continues here`,
    `Next: pairflow bubble stop --id ${tree.bubble}   ends it for good`,
  ];
}

/** The bubbles below that somebody drives. */
const listBubblesAtWork = (node: TreeNode): string[] =>
  node.children.flatMap((child) => [
    ...(child.driven && child.bubble && child.lifecycle === "RUNNING" ? [child.bubble] : []),
    ...listBubblesAtWork(child),
  ]);

function renderStandingLines(tree: TreeNode, needs: readonly TreeNode[], again: string): string[] {
  const asked = needs.flatMap(({ bubble, question }) =>
    question ? [`${bubble} asks: "${question.text}"`, `Next: ${question.command}`] : [],
  );
  if (asked.length > 0) return [...asked, `Next: ${again}   shows how it continues`];
  const { lifecycle, bubble, says } = tree;
  const next =
    lifecycle === "READY_FOR_APPROVAL"
      ? "approve"
      : lifecycle === "APPROVED_FOR_COMMIT"
        ? "commit"
        : undefined;
  return [
    `${bubble} is ${lifecycle}: ${says}`,
    ...(next ? [`Next: pairflow bubble ${next} --id ${bubble}`] : []),
  ];
}
