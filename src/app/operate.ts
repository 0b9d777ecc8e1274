// What an operator's command does beyond putting it to the referee: the short effects it owes itself, and seeing to
// it that somebody drives.

import { placeOf as linePlace } from "../adapters/log/place.ts";
import { commitRefused, putBackRefused } from "../core/bubble/decide/operator.ts";
import { isFinal } from "../core/bubble/lifecycle.ts";
import type { Command } from "../core/model/command.ts";
import type { Via } from "../core/model/payloads.ts";
import { type Refusal, refuse } from "../core/model/refusal.ts";
import type { Lifecycle, State } from "../core/model/state.ts";
import { scopeViolations } from "../core/policy/scope.ts";
import { approvalSubject } from "../core/views/package.ts";
import { type Handled, handle, load } from "../engine/handle.ts";
import { prepare } from "../engine/perform/prepare.ts";
import { putBack } from "../engine/perform/snapshot.ts";
import { standingPlace } from "../engine/standing.ts";
import { driverMarker, placeOf, type World, workMarker } from "../engine/world.ts";
import { Failure } from "../ports/failure.ts";
import { agentsRefused } from "./agents-ready.ts";
import { parseBubbleToml } from "./config-file.ts";
import { askGit } from "./git-questions.ts";
import { configFile } from "./locate.ts";
import { selfCommand } from "./package-root.ts";

export interface Desk {
  readonly world: World;
  readonly bubble: string;
  readonly via: Via;
}

const actor = (desk: Desk) => ({ kind: "operator", via: desk.via }) as const;

export async function stateOf(desk: Pick<Desk, "world" | "bubble">, whole = false): Promise<State> {
  const { state } = await load(desk.world, desk.bubble, whole);
  if (!state) throw unknownBubble(desk.bubble);
  return state;
}

const unknownBubble = (bubble: string) =>
  refuse("bubble.unknown", `there is no bubble ${bubble}`, "pairflow bubble list");

/** Takes over what a person changed in bubble.toml since; a file that says the impossible is an error, not ignored. */
export async function readConfigAgain(desk: Desk): Promise<Refusal | undefined> {
  const file = configFile(desk.world.repo, desk.bubble);
  const text = await desk.world.records.readConfig(desk.bubble);
  if (text !== undefined) {
    const config = parseBubbleToml(text, file);
    const { refusal } = await handle(desk.world, desk.bubble, {
      type: "configure",
      actor: actor(desk),
      config,
    });
    if (refusal) return refusal;
  }
  const { lifecycle, config } = await stateOf(desk);
  return turnsToCome.includes(lifecycle) ? agentsRefused(config, file) : undefined;
}

const turnsToCome: readonly Lifecycle[] = ["CREATED", "PREPARING_WORKSPACE", "RUNNING", "WAITING_HUMAN"];

/** Starts a bubble: the workspace is made here, so that its troubles are seen here; then a driver takes over. */
export async function start(desk: Desk, seat: string): Promise<Handled> {
  const config = await readConfigAgain(desk);
  if (config) return { state: undefined, envelopes: [], refusal: config };
  const before = await stateOf(desk);
  if (before.lifecycle !== "PREPARING_WORKSPACE") {
    const started = await handle(desk.world, desk.bubble, { type: "start", actor: actor(desk), seat });
    if (started.refusal) return started;
  }
  return prepareAlone(desk);
}

/** Two starts at once would disturb each other in git, so the workspace is made by whoever holds the driver's place. */
async function prepareAlone(desk: Desk): Promise<Handled> {
  const { world, bubble } = desk;
  const at = world.clock.now();
  const driver = world.chance.id();
  const { pid, host } = world;
  const claim = await world.runtime.claim(bubble, {
    driver,
    pid,
    host,
    startedAt: at,
    at,
    seat: world.seats.kind,
  });
  if (!claim.ok) {
    const message = `${bubble} is being started by process ${claim.holder.pid}`;
    const refusal = refuse("start.already", message, `pairflow bubble status --id ${bubble}`);
    return { state: undefined, envelopes: [], refusal };
  }
  try {
    const state = await stateOf(desk);
    if (state.lifecycle === "PREPARING_WORKSPACE") {
      // A start that was killed leaves its setup command running.
      await world.processes.end(workMarker(world, bubble, "setup*"));
      await prepare(world, state, "operator");
    }
    return { state: await stateOf(desk), envelopes: [] };
  } finally {
    await world.runtime.release(bubble, driver);
  }
}

/** Starts a driver when the bubble needs one and none lives. */
export async function ensureDriver({ world, bubble }: Desk): Promise<"running" | "started" | "not-needed"> {
  const state = await stateOf({ world, bubble });
  if (isFinal(state.lifecycle) || state.lifecycle === "CREATED" || !state.seat) return "not-needed";
  if (await world.runtime.living(bubble)) return "running";
  if (world.seats.kind === "tmux") {
    const agents = [...new Set(Object.values(state.config.agents))];
    await world.seats.open(bubble, {
      cwd: state.workspace?.path ?? state.config.repo_path,
      agents,
      title: state.task.title,
    });
    return "started";
  }
  const argv = [
    ...selfCommand(),
    "bubble",
    "drive",
    "--id",
    bubble,
    "--repo",
    state.config.repo_path,
    "--seat",
    world.seats.kind,
    "--leave",
  ];
  await world.processes.spawn({
    argv,
    cwd: state.config.repo_path,
    env: world.gateEnv,
    output: world.paths.output(bubble, "driver.log"),
    work: driverMarker(world, bubble),
  });
  return "started";
}

/** Puts a decision to the referee; if it was taken, somebody must act on it. */
export async function decideAndDrive(
  desk: Desk,
  command: WithoutActor<Command>,
  startDriver = true,
): Promise<Handled> {
  const handled = await handle(desk.world, desk.bubble, { ...command, actor: actor(desk) } as Command);
  if (!handled.refusal && startDriver) await ensureDriver(desk);
  return handled;
}
type WithoutActor<T> = T extends unknown ? Omit<T, "actor"> : never;

/** A person allows files outside the scope by name, for every handoff from now on. */
export async function allowOutside(
  desk: Desk,
  paths: readonly string[],
  reason: string,
): Promise<Refusal | undefined> {
  if (paths.length === 0) return undefined;
  const command = { type: "override-scope", actor: actor(desk), paths, reason } as const;
  return (await handle(desk.world, desk.bubble, command)).refusal;
}

/** Resumes; `put-back` first restores the tree and keeps what it undid. Whoever calls sees to a driver: it may be himself. */
export async function resume(
  desk: Desk,
  how: { message: string; tree?: "keep" | "put-back" },
): Promise<Handled> {
  const config = await readConfigAgain(desk);
  if (config) return { state: undefined, envelopes: [], refusal: config };
  const state = await stateOf(desk);
  if (how.tree !== "put-back")
    return decideAndDrive(
      desk,
      { type: "resume", message: how.message, ...(how.tree ? { tree: how.tree } : {}) },
      false,
    );
  const refusal = putBackRefused(state);
  if (refusal) return { state, envelopes: [], refusal };
  const patch = await putBack(desk.world, state, state.tree?.id ?? "");
  return decideAndDrive(desk, { type: "resume", message: how.message, tree: { putBack: patch } }, false);
}

/** The digest over what the log says, from byte 0, and the tree the worktree holds right now. */
export async function signable(
  desk: Pick<Desk, "world" | "bubble">,
): Promise<{ state: State; digest: string; tree: string; head: string }> {
  const { state, head } = await load(desk.world, desk.bubble, true);
  if (!state) throw unknownBubble(desk.bubble);
  const artifact = state.approval?.artifact
    ? await desk.world.records.get(desk.bubble, state.approval.artifact)
    : undefined;
  const packageSha = artifact ? desk.world.hash.sha256(artifact) : "";
  const tree = state.tree ? await desk.world.workspace.treeId(await standingPlace(desk.world, state)) : "";
  const digest = desk.world.hash.sha256(approvalSubject(state, packageSha));
  return { state, digest, tree, head: `${head.seq} · ${linePlace(head)?.hash.slice(0, 4) ?? ""}` };
}

/** Signs what asks for approval. `seen` is the digest the person looked at; it must be the one computed now. */
export async function approve(desk: Desk, seen: string, message: string): Promise<Handled> {
  const { digest, tree, state } = await signable(desk);
  if (state.lifecycle === "READY_FOR_APPROVAL" && !digest.startsWith(seen)) {
    return {
      state,
      envelopes: [],
      refusal: refuse(
        "approve.digest",
        `what asks for approval has digest ${digest.slice(0, 12)}, not ${seen.slice(0, 12)}`,
        `pairflow bubble approve --id ${desk.bubble}`,
      ),
    };
  }
  return handle(desk.world, desk.bubble, { type: "approve", actor: actor(desk), digest, tree, message });
}

/** Writes the approved tree, and only that, as one commit. Done twice it is one commit. */
export async function commit(
  desk: Desk,
  override?: { reason: string },
): Promise<Handled & { commit?: string }> {
  const { state, digest, tree } = await signable(desk);
  if (state.commit) return { state, envelopes: [], commit: state.commit.id, repeats: state.seq };
  const refusal = commitRefused(state, tree);
  if (refusal) return { state, envelopes: [], refusal };
  if (digest !== state.approval?.digest) {
    return {
      state,
      envelopes: [],
      refusal: refuse(
        "commit.digest",
        "the record no longer matches what was approved; nothing was committed",
        `pairflow verify --id ${desk.bubble}`,
      ),
    };
  }
  const scope = await scopeRefused(desk, state, override);
  if (scope) return { state, envelopes: [], refusal: scope };
  const place = placeOf(desk.world, state);
  const message = state.package?.commit_message || state.task.title;
  const id = await desk.world.workspace.commit(place, {
    tree,
    message,
    at: state.approval.decidedAt ?? state.lastAt,
  });
  desk.world.crashPoint("commit.written");
  const handled = await handle(desk.world, desk.bubble, {
    type: "commit",
    actor: actor(desk),
    commit: id,
    tree,
    branch: place.branch,
  });
  return { ...handled, commit: id };
}

async function scopeRefused(
  desk: Desk,
  state: State,
  override: { reason: string } | undefined,
): Promise<Refusal | undefined> {
  const place = placeOf(desk.world, state);
  const files = await desk.world.workspace.changedBetween(place, state.baseCommit, state.tree?.id ?? "");
  const outside = scopeViolations(
    files.flatMap((file) => (file.from ? [file.from, file.path] : [file.path])),
    state.config.scope,
    state.scopeOverrides,
  );
  if (outside.length === 0) return undefined;
  if (!override)
    return refuse(
      "commit.out-of-scope",
      "the commit would leave the bubble's scope",
      `pairflow bubble commit --id ${desk.bubble} --override-scope --reason "…"`,
      outside,
    );
  const paths = outside.map((line) => line.split(" ")[0] ?? "");
  return allowOutside(desk, paths, override.reason);
}

/** Ends a bubble for good: its turns, its gates, its driver, its panes. The branch and the record stay. */
export async function stop(desk: Desk, reason: string): Promise<Handled> {
  const state = await stateOf(desk);
  const isStopped = state.lifecycle === "CANCELLED";
  const handled = isStopped
    ? { state, envelopes: [] }
    : await handle(desk.world, desk.bubble, { type: "stop", actor: actor(desk), reason });
  // A stop that was cut off behind its word is finished by the next one.
  if (!handled.refusal || isFinal(state.lifecycle)) await endEverything(desk);
  return handled;
}

async function endEverything({ world, bubble }: Desk): Promise<void> {
  await world.processes.end(workMarker(world, bubble, "*"));
  for (let waited = 0; waited < 2000 && (await world.runtime.living(bubble)); waited += 100)
    await world.clock.sleep(100);
  await world.processes.end(driverMarker(world, bubble));
  try {
    await world.seats.close(bubble);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  // A driver that was ended may have been about to start something.
  await world.processes.end(workMarker(world, bubble, "*"));
}

/** Removes a finished bubble's workspace and archives its record; refuses while work would be lost. */
export async function remove(
  desk: Desk,
  options: { dropBranch: boolean; discard: boolean },
): Promise<{ refusal?: Refusal; archived?: string; branch?: string }> {
  const state = await stateOf(desk);
  if (!isFinal(state.lifecycle) && state.lifecycle !== "CREATED") {
    return {
      refusal: refuse(
        "delete.not-ended",
        `${desk.bubble} is ${state.lifecycle}`,
        `pairflow bubble stop --id ${desk.bubble}`,
      ),
    };
  }
  const place = placeOf(desk.world, state);
  // Asked also when the worktree was deleted by hand: the pins may hold all that is left of the work.
  const lost = await desk.world.workspace.unreachable(place, { dropBranch: options.dropBranch });
  if (lost.length > 0 && !options.discard) {
    return {
      refusal: refuse(
        "delete.unsaved-work",
        "work would be lost that exists nowhere else",
        `keep it as said above, or throw it away: pairflow bubble delete --id ${desk.bubble} --discard`,
        lost,
      ),
    };
  }
  await endEverything(desk);
  await desk.world.workspace.remove(place, { dropBranch: options.dropBranch, force: true });
  const branch = (await askGit(place.repo, "branch", "--list", place.branch)) ? { branch: place.branch } : {};
  return { archived: await desk.world.records.archive(desk.bubble), ...branch };
}
