// The composition root: configuration in, a whole world out. The only place that knows every technology.
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createAgentAdapters } from "../../adapters/agent/index.ts";
import { createNotifier } from "../../adapters/notifier/local.ts";
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { createFileScratch } from "../../adapters/scratch/file.ts";
import { createProcessSeats } from "../../adapters/seat/process.ts";
import { createTmuxSeats } from "../../adapters/seat/tmux.ts";
import { createFileTrust } from "../../adapters/trust/file.ts";
import { createGitWorkspace } from "../../adapters/workspace/git.ts";
import { refuse } from "../../core/model/refusal.ts";
import { Conversations, type World } from "../../engine/front/world.ts";
import type { Seats } from "../../ports/agent/seat.ts";
import type { Siblings } from "../../ports/siblings.ts";
import type { Processes } from "../../ports/system/process.ts";
import { createVerbDoor } from "../caller/driver-socket.ts";
import { hideRecords } from "../config/init.ts";
import { ensureCleanPlace } from "../host/clean-root.ts";
import { buildAgentEnv, listAgentVariables, pickAllowedEnv, pickDriverEnv } from "../host/environment.ts";
import { getOutFolder, getWorktreeRoot } from "../host/locate.ts";
import { driveCommand, getOwnBin, getSelfCommand, readRoleText, watchCommand } from "../host/package-root.ts";
import { computeRepoTag, getTmuxSocket } from "../host/repositories/names.ts";
import { readHostId } from "../host/shared/host-id.ts";
import { getUserFile, makeUserFolder } from "../host/user-folder.ts";
import { openPlans } from "../plans/change.ts";
import { openRecordWorld } from "../record/world.ts";
import { createBaseRuns } from "./base-runs.ts";
import { createConventions } from "./conventions.ts";
import { createOfferedDrivers, createSpawnedDrivers } from "./drivers.ts";
import { createMachineLookup, createSandboxes } from "./sandbox.ts";

export const seatKinds = ["tmux", "process"] as const;

/** `statusPane`: what the first pane of a bubble's room does; the driver is in it, unless a worker drives. */
export function createWorld(repo: string, seat: string, statusPane: "drives" | "shows" = "drives"): World {
  hideRecords(repo);
  const { world: light, shared } = openRecordWorld(repo);
  const processes = createNodeProcesses();
  const runtime = join(repo, ".pairflow", "runtime");
  const tag = computeRepoTag(repo);
  const seats = buildSeats(seat, { repo, processes, statusPane });
  const output = (bubble: string, name: string) => join(makeFolder(join(runtime, bubble)), name);
  const gateEnv = addOwnCommand(pickAllowedEnv(process.env));
  return {
    ...light,
    ...(shared ? { offers: shared.offers } : {}),
    drivers: shared
      ? createOfferedDrivers(shared.offers)
      : createSpawnedDrivers({
          ...{ seats, processes, repo, tag, env: pickDriverEnv(process.env) },
          log: (bubble) => output(bubble, "driver.log"),
        }),
    processes,
    workspace: createGitWorkspace({ processes, runtimeDir: runtime, crashPoint: light.crashPoint }),
    sandboxes: createSandboxes(processes, runtime),
    machine: createMachineLookup(repo, process.env),
    verbs: createVerbDoor(light, tag),
    seats,
    agents: createAgentAdapters({ command: getSelfCommand() }),
    notifier: createNotifier({ processes }),
    conventions: createConventions(repo, light.crashPoint),
    plans: openPlans(repo),
    siblings: createLateSiblings((kind) => createWorld(repo, kind)),
    trust: createFileTrust(getUserFile("trust", repo), repo, makeUserFolder),
    scratch: createFileScratch(),
    roleText: readRoleText,
    agentEnv: (adapter, settings) => buildAgentEnv(process.env, listAgentVariables(adapter, settings)),
    talks: new Conversations(),
    gateEnv,
    baseRuns: createBaseRuns(join(repo, ".pairflow", "base-runs"), gateEnv),
    paths: {
      worktree: (bubble, folder) => join(getWorktreeRoot(repo, folder), bubble),
      output,
      artifacts: (bubble) => join(repo, ".pairflow", "bubbles", bubble, "artifacts"),
      hook: (bubble) => makeFolder(join(runtime, bubble, "hook")),
      out: (worktree, turn) => makeFolder(getOutFolder(worktree, turn)),
      // No bubble has a dot in its id.
      clean: (bubble, gate) =>
        ensureCleanPlace(process.env, tag, gate === undefined ? bubble : `${bubble}.${gate}`),
    },
    acknowledgeMs: Number(process.env.PAIRFLOW_ACKNOWLEDGE_MS) || 20_000,
    repo,
    tag,
    host: shared ? readHostId(process.env) : hostname(),
    pid: process.pid,
  };
}

/** Loaded by the first effect that is about another bubble: what makes and starts bubbles is a large part of the program. */
function createLateSiblings(worldFor: (seat: string) => World): Siblings {
  let loaded: Promise<Siblings> | undefined;
  const load = () => {
    loaded ??= import("./siblings.ts").then(({ createSiblings: make }) => make(worldFor));
    return loaded;
  };
  return {
    child: async (...asked) => (await load()).child(...asked),
    keepGoing: async (...asked) => (await load()).keepGoing(...asked),
    pause: async (...asked) => (await load()).pause(...asked),
    resume: async (...asked) => (await load()).resume(...asked),
    rests: async (...asked) => (await load()).rests(...asked),
    stop: async (...asked) => (await load()).stop(...asked),
    report: async (...asked) => (await load()).report(...asked),
    start: async (...asked) => (await load()).start(...asked),
  };
}

/** Gates of our own, such as document checks, find this very command. */
function addOwnCommand(env: Record<string, string>): Record<string, string> {
  return { ...env, PATH: [getOwnBin(), env.PATH].filter(Boolean).join(":") };
}

interface SeatSurroundings {
  readonly repo: string;
  readonly processes: Processes;
  readonly statusPane: "drives" | "shows";
}

function buildSeats(seat: string, { repo, processes, statusPane }: SeatSurroundings): Seats {
  if (seat === "process")
    return createProcessSeats({
      processes,
      env: {},
      folder: (bubble) => join(repo, ".pairflow", "runtime", bubble, "seats"),
    });
  if (seat !== "tmux")
    throw refuse("seat.unknown", `there is no seat ${seat}`, `one of: ${seatKinds.join(", ")}`);
  return createTmuxSeats({
    processes,
    socket: getTmuxSocket(repo),
    env: pickAllowedEnv(process.env),
    statusCommand: (bubble) =>
      statusPane === "shows" ? watchCommand(repo, bubble) : driveCommand(repo, bubble, "tmux"),
    statusEnv: pickDriverVariables(),
  });
}

/** What a driver must have beside the common variables: the agents' own logins, and every secret it keeps off the record. */
function pickDriverVariables(): Record<string, string> {
  const common = pickAllowedEnv(process.env);
  return Object.fromEntries(Object.entries(pickDriverEnv(process.env)).filter(([name]) => !(name in common)));
}

function makeFolder(folder: string): string {
  // Only for its owner: what agents and gates print may hold anything.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
