// Everything the engine may touch, as ports. The composition root fills it in; tests fill it with fakes.

import type { AgentSettings } from "../../core/model/config.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { listHiddenPaths } from "../../core/permission/hidden-paths.ts";
import type { Redaction } from "../../core/redaction/redact.ts";
import type { Machine } from "../../core/sandbox/policy.ts";
import type { AgentAdapter } from "../../ports/agent/adapter.ts";
import type { Seats } from "../../ports/agent/seat.ts";
import type { VerbDoor } from "../../ports/agent/verbs.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import type { Signatures } from "../../ports/proof.ts";
import type { BaseRuns } from "../../ports/record/base-runs.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { Drivers } from "../../ports/record/drivers.ts";
import type { EventLog } from "../../ports/record/log.ts";
import type { Offers } from "../../ports/record/offers.ts";
import type { Plans } from "../../ports/record/plans.ts";
import type { Records, Runtime } from "../../ports/record/records.ts";
import type { Travel } from "../../ports/record/travel.ts";
import type { Trees } from "../../ports/record/trees.ts";
import type { Trust } from "../../ports/record/trust.ts";
import type { Siblings } from "../../ports/siblings.ts";
import type { Chance, Clock, Hash } from "../../ports/system/clock.ts";
import type { Notifier } from "../../ports/system/notifier.ts";
import type { Processes } from "../../ports/system/process.ts";
import type { Sandboxes } from "../../ports/system/sandbox.ts";
import type { Scratch } from "../../ports/system/scratch.ts";
import type { Workspace, WorkspacePlace } from "../../ports/workspace.ts";
import type { Conversations } from "./conversations.ts";

/** What reading and deciding need: the whole of an agent verb's world. */
export interface RecordWorld {
  readonly log: EventLog;
  readonly records: Records;
  readonly runtime: Runtime;
  /** Files of pinned trees: what reviews cite is looked up there. */
  readonly trees: Trees;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly hash: Hash;
  /** Checks what passkeys have signed. */
  readonly signatures: Signatures;
  /** Knows the secrets that must stay off the record. */
  readonly redaction: Redaction;
  readonly crashPoint: CrashPoint;
  /** How commits get to other machines; absent where one machine has everything. */
  readonly travel?: Travel;
  /** What a person has confirmed that this repository may run; absent for agents' verbs, which confirm nothing. */
  readonly trust?: Trust;
}

/** What performing effects needs on top. */
export interface World extends RecordWorld {
  readonly workspace: Workspace;
  readonly processes: Processes;
  /** Programs that are not trusted with a person's rights run in one, where the machine has any. */
  readonly sandboxes: Sandboxes;
  /** What of the machine they may see. */
  readonly machine: () => Machine;
  /** Where agents in a sandbox speak. */
  readonly verbs: VerbDoor;
  readonly seats: Seats;
  readonly agents: Readonly<Record<string, AgentAdapter>>;
  readonly notifier: Notifier;
  /** What critics keep noticing, and what people said to it. */
  readonly conventions: Conventions;
  /** The plans of the project. */
  readonly plans: Plans;
  /** Other bubbles that this one starts and supervises. */
  readonly siblings: Siblings;
  readonly trust: Trust;
  readonly drivers: Drivers;
  /** Where work is offered to other machines; absent where this one does it. */
  readonly offers?: Offers;
  readonly scratch: Scratch;
  readonly baseRuns: BaseRuns;
  /** prompts/<role>.md, loaded by the composition root. */
  readonly roleText: (role: string) => string;
  /** The variables an agent's process gets: an allow-list, and what its own adapter and settings name. */
  readonly agentEnv: (adapter: AgentAdapter, settings: AgentSettings) => Readonly<Record<string, string>>;
  /** The conversations with agents without a terminal that this process holds. */
  readonly talks: Conversations;
  readonly gateEnv: Readonly<Record<string, string>>;
  /** Absolute paths for one bubble's own files outside the record. */
  readonly paths: {
    /** `folder`: the one that the settings name for worktrees. */
    worktree(bubble: string, folder?: string): string;
    output(bubble: string, name: string): string;
    /** What commit hooks are given beside the tree: an index and a message. */
    hook(bubble: string): string;
    /** The artifacts of the record, which agents may read. */
    artifacts(bubble: string): string;
    /** Where one turn's agent puts files it hands in. */
    out(worktree: string, turn: string): string;
    /** Where a clean checkout of the bubble's tree may stand, or one gate's own: no folder on the way begins with a dot. */
    clean(bubble: string, gate?: string): string;
  };
  /** How long an agent may leave a message in its pane unread before it is sent again. */
  readonly acknowledgeMs: number;
  readonly repo: string;
  /** Tells bubbles of different repositories apart in work markers. */
  readonly tag: string;
  readonly host: string;
  readonly pid: number;
}

export function getWorkspacePlace(
  world: World,
  state: Pick<State, "bubbleId" | "config" | "baseCommit">,
): WorkspacePlace {
  const { config, baseCommit, bubbleId } = state;
  const hidden = listHiddenPaths(config);
  return {
    // What the record says about both is a note of where they were: every machine has places of its own.
    repo: world.repo,
    path: world.paths.worktree(bubbleId, config.worktrees),
    branch: config.bubble_branch,
    baseCommit,
    mode: config.work_mode,
    bubble: bubbleId,
    ...(hidden.length > 0 ? { hidden } : {}),
    ...(config.git_filters?.length ? { filters: config.git_filters } : {}),
  };
}

/** The marker in the environment of every process that works for a bubble. */
export function buildWorkMarker(world: World, bubble: string, work: string): string {
  return `${world.tag}/${bubble}/${work}`;
}

/** The same for one attempt of a turn. */
export const buildTurnMarker = (world: World, bubble: string, turn: Pick<Turn, "id" | "attempt">): string =>
  buildWorkMarker(world, bubble, `${turn.id}.${turn.attempt}`);

/** No bubble can be called so: a driver's marker never looks like a bubble's work. */
const driving = "-driver";

/** The marker of a bubble's background driver: no work of an agent, and not ended with it. */
export function buildDriverMarker(world: Pick<World, "tag">, bubble: string): string {
  return `${world.tag}/${driving}/${bubble}`;
}

export function isDriverMarker(marker: string): boolean {
  return marker.split("/")[1] === driving;
}
