// The composition root: configuration in, a whole world out. The only place that knows every technology.
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { agentAdapters } from "../../adapters/agent/index.ts";
import { notifier } from "../../adapters/notifier/local.ts";
import { nodeProcesses } from "../../adapters/process/node.ts";
import { fileScratch } from "../../adapters/scratch/file.ts";
import { processSeats } from "../../adapters/seat/process.ts";
import { tmuxSeats } from "../../adapters/seat/tmux.ts";
import { fileTrust } from "../../adapters/trust/file.ts";
import { gitWorkspace } from "../../adapters/workspace/git.ts";
import { refuse } from "../../core/model/refusal.ts";
import { Talks } from "../../engine/world/talks.ts";
import type { World } from "../../engine/world/world.ts";
import type { Processes } from "../../ports/process.ts";
import type { Seats } from "../../ports/seat.ts";
import { verbDoor } from "../caller/outside.ts";
import { cleanPlace } from "../host/clean-root.ts";
import { agentEnv, allowedEnv, driverEnv, variablesOf } from "../host/environment.ts";
import { outFolder, worktreeRoot } from "../host/locate.ts";
import { driveCommand, ownBin, roleText, selfCommand } from "../host/package-root.ts";
import { repoTag, tmuxSocket } from "../host/repository-names.ts";
import { makeUserFolder, userFileOf } from "../host/user-folder.ts";
import { openPlans } from "../plans/plans.ts";
import { recordWorld } from "../record/world.ts";
import { baseRunsIn } from "./base-runs.ts";
import { conventionsIn } from "./conventions.ts";
import { machineOf, sandboxesOf } from "./sandbox.ts";
import { siblingsOf } from "./siblings.ts";

export const seatKinds = ["tmux", "process"] as const;

export function worldOf(repo: string, seat: string): World {
  const light = recordWorld(repo);
  const processes = nodeProcesses();
  const runtime = join(repo, ".pairflow", "runtime");
  const tag = repoTag(repo);
  const gateEnv = withOwnCommand(allowedEnv(process.env));
  return {
    ...light,
    processes,
    workspace: gitWorkspace({ processes, runtimeDir: runtime, crashPoint: light.crashPoint }),
    sandboxes: sandboxesOf(processes, runtime),
    machine: machineOf(repo, process.env),
    verbs: verbDoor(light, tag),
    seats: seatsOf(seat, repo, processes),
    agents: agentAdapters({ command: selfCommand() }),
    notifier: notifier({ processes }),
    conventions: conventionsIn(repo, light.crashPoint),
    plans: openPlans(repo),
    siblings: siblingsOf((kind) => worldOf(repo, kind)),
    trust: fileTrust(userFileOf("trust", repo), repo, makeUserFolder),
    scratch: fileScratch(),
    roleText,
    agentEnv: (adapter, settings) => agentEnv(process.env, variablesOf(adapter, settings)),
    talks: new Talks(),
    gateEnv,
    baseRuns: baseRunsIn(join(repo, ".pairflow", "base-runs"), gateEnv),
    driverEnv: driverEnv(process.env),
    paths: {
      worktree: (bubble, folder) => join(worktreeRoot(repo, folder), bubble),
      output: (bubble, name) => join(made(join(runtime, bubble)), name),
      artifacts: (bubble) => join(repo, ".pairflow", "bubbles", bubble, "artifacts"),
      hook: (bubble) => made(join(runtime, bubble, "hook")),
      out: (worktree, turn) => made(outFolder(worktree, turn)),
      // No bubble has a dot in its id.
      clean: (bubble, gate) =>
        cleanPlace(process.env, tag, gate === undefined ? bubble : `${bubble}.${gate}`),
    },
    acknowledgeMs: Number(process.env.PAIRFLOW_ACKNOWLEDGE_MS) || 20_000,
    repo,
    tag,
    host: hostname(),
    pid: process.pid,
  };
}

/** Gates of our own, such as document checks, find this very command. */
function withOwnCommand(env: Record<string, string>): Record<string, string> {
  return { ...env, PATH: [ownBin(), env.PATH].filter(Boolean).join(":") };
}

function seatsOf(seat: string, repo: string, processes: Processes): Seats {
  if (seat === "process")
    return processSeats({
      processes,
      env: {},
      folder: (bubble) => join(repo, ".pairflow", "runtime", bubble, "seats"),
    });
  if (seat !== "tmux")
    throw refuse("seat.unknown", `there is no seat ${seat}`, `one of: ${seatKinds.join(", ")}`);
  return tmuxSeats({
    processes,
    socket: tmuxSocket(repo),
    env: allowedEnv(process.env),
    statusCommand: (bubble) => driveCommand(repo, bubble, "tmux"),
    statusEnv: beyondAllowed(),
  });
}

/** What a driver must have beside the common variables: the agents' own logins, and every secret it keeps off the record. */
function beyondAllowed(): Record<string, string> {
  const common = allowedEnv(process.env);
  return Object.fromEntries(Object.entries(driverEnv(process.env)).filter(([name]) => !(name in common)));
}

function made(folder: string): string {
  // Only for its owner: what agents and gates print may hold anything.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
