// Confinement by bubblewrap. Whether it works is tried once, by a sandbox around nothing: it may be missing, and some
// systems forbid what it needs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SandboxPolicy } from "../../core/sandbox/policy.ts";
import { Failure } from "../../ports/failure.ts";
import type { Processes } from "../../ports/system/process.ts";
import type { ConfinedCommand, Sandboxes, SandboxState } from "../../ports/system/sandbox.ts";
import { buildBubblewrapArguments, type User } from "./arguments.ts";
import { makeMounts } from "./mounts.ts";

export interface BubblewrapOptions {
  readonly processes: Pick<Processes, "exec">;
  readonly user: User;
  /** Where a folder for trying overlays may be made. */
  readonly tryIn: string;
  readonly platform: string;
  /** Removes a folder, whatever was done to what is in it. */
  readonly remove: (path: string) => void;
  /** Why nothing is to be confined, where the person said so. */
  readonly off?: string;
}

/** Sandboxes of this machine. */
export function createBubblewrap(options: BubblewrapOptions): Sandboxes {
  let known: Promise<SandboxState> | undefined;
  const state = () => (known ??= look(options));
  return {
    state,
    async enter(policy) {
      const found = await state();
      if (found.kind === "none")
        throw new Failure("sandbox.absent", `nothing can be confined here: ${found.why}`, {
          hint: "pairflow doctor",
        });
      return enter(policy, found.copies, options);
    },
  };
}

function enter(policy: SandboxPolicy, copies: boolean, { user, remove }: BubblewrapOptions): ConfinedCommand {
  const temporary = join(policy.folder, `tmp-${policy.name}`);
  const drafts = join(policy.folder, `drafts-${policy.name}`);
  const clear = () => [temporary, drafts].forEach(remove);
  clear();
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const mounts = makeMounts(policy, { copies, temporary, drafts });
  return {
    prefix: buildBubblewrapArguments("bwrap", mounts, policy, user),
    env: { TMPDIR: "/tmp", XDG_RUNTIME_DIR: undefined },
    leave: async () => clear(),
  };
}

async function look({
  processes,
  user,
  tryIn,
  platform,
  off,
  remove,
}: BubblewrapOptions): Promise<SandboxState> {
  if (off !== undefined) return { kind: "none", why: off };
  if (platform !== "linux") return { kind: "none", why: `bubblewrap is for Linux, and this is ${platform}` };
  const plain = buildBubblewrapArguments("bwrap", [], { network: false, endsWithParent: true }, user);
  const complaint = await tryBubblewrap(processes, [...plain, "true"]);
  if (complaint !== undefined) return { kind: "none", why: complaint };
  const { stdout } = await processes.exec(["bwrap", "--version"]);
  const copies = (await tryBubblewrap(processes, buildOverlayTrial(tryIn, user))) === undefined;
  remove(getTrialFolder(tryIn));
  return { kind: "bubblewrap", version: stdout.trim().replace(/^bubblewrap /, ""), copies };
}

/** Why it does not work, or undefined. */
async function tryBubblewrap(
  processes: BubblewrapOptions["processes"],
  words: readonly string[],
): Promise<string | undefined> {
  try {
    const { code, stderr } = await processes.exec(words, { timeoutMs: 10_000 });
    return code === 0 ? undefined : stderr.trim().split("\n")[0] || `bwrap ended with ${code}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === "process.not-found" ? "bubblewrap is not installed" : error.message;
  }
}

const getTrialFolder = (tryIn: string) => join(tryIn, `sandbox-trial-${process.pid}`);

function buildOverlayTrial(tryIn: string, user: User): string[] {
  const folder = getTrialFolder(tryIn);
  const part = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const overlay = { below: [part("lower")], upper: part("upper"), work: part("work"), at: part("whole") };
  const mounts = [{ kind: "overlay" as const, path: overlay.below[0] ?? folder, overlay }];
  return [
    ...buildBubblewrapArguments("bwrap", mounts, { network: false, endsWithParent: true }, user),
    "true",
  ];
}
