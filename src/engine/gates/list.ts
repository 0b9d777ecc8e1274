// What is run on a tree: the gates of the profile as they were pinned, and the repository's own commit hooks, which
// would otherwise speak only after the approval.
import type { Gate } from "../../core/model/gate.ts";
import type { State } from "../../core/model/state.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

export type GateRun = Gate & {
  /** It may write into git's own folder, and nothing of that stays. */
  readonly draftsGit?: boolean;
  readonly env?: Record<string, string>;
  /** What it may write and read beside the tree. */
  readonly write?: readonly string[];
  readonly read?: readonly string[];
  /** Why it is not run at all. */
  readonly skip?: string;
};

export interface GateList {
  readonly gates: readonly GateRun[];
  /** The message a commit-msg hook judges ("" when there is none yet); undefined without such a hook. */
  readonly commitMessage?: string;
}

/** The gates to run on this tree, in their order. */
export async function listGatesToRun(world: World, state: State, tree: string): Promise<GateList> {
  const { hooks, commitMessage } = await listHookGates(world, state, () =>
    world.workspace.stagedIndex(getWorkspacePlace(world, state), tree),
  );
  return {
    gates: [...state.profile.gates, ...hooks],
    ...(commitMessage === undefined ? {} : { commitMessage }),
  };
}

export interface HookList {
  readonly hooks: readonly GateRun[];
  readonly commitMessage?: string;
}

/** The repository's commit hooks as gates; with an index of our own where the one that git finds is an agent's. */
export async function listHookGates(
  world: World,
  state: State,
  stagedIndex?: () => Promise<string>,
): Promise<HookList> {
  const hooks = await world.workspace.hooks(getWorkspacePlace(world, state));
  if (hooks.length === 0) return { hooks: [] };
  const message = state.package?.commit_message ?? "";
  const folder = world.paths.hook(state.bubbleId);
  const file = `${folder}/commit-msg.txt`;
  const index = stagedIndex ? { GIT_INDEX_FILE: await stagedIndex() } : {};
  const env = { ...index, PAIRFLOW_MESSAGE: message, PAIRFLOW_MESSAGE_FILE: file };
  const runs = hooks.flatMap(({ name, path, inTree }): GateRun[] => {
    if (name === "commit-msg" && !message) return [];
    const skip = `git finds no ${path} in this tree and would skip it; a setup that makes it would bring it back`;
    return [
      {
        name: `hook:${name}`,
        command: hookCommands[name],
        required: true,
        timeout_seconds: 600,
        env,
        write: [folder],
        draftsGit: true,
        ...(path.startsWith("/") ? { read: [path.slice(0, path.lastIndexOf("/"))] } : {}),
        ...(inTree ? {} : { skip }),
      },
    ];
  });
  return {
    hooks: runs,
    ...(hooks.some(({ name }) => name === "commit-msg") ? { commitMessage: message } : {}),
  };
}

const hookCommands = {
  "pre-commit": "git hook run --ignore-missing pre-commit",
  "commit-msg":
    'printf "%s\\n" "$PAIRFLOW_MESSAGE" > "$PAIRFLOW_MESSAGE_FILE" && git hook run --ignore-missing commit-msg -- "$PAIRFLOW_MESSAGE_FILE"',
} as const;
