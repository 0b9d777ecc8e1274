// What is run on a tree: the gates of the profile as they were pinned, and the repository's own commit hooks, which
// would otherwise speak only after the approval.
import type { Gate } from "../../core/model/gate.ts";
import type { State } from "../../core/model/state.ts";
import { placeOf, type World } from "../world.ts";

export type GateRun = Gate & { readonly env?: Record<string, string> };

export interface GateList {
  readonly gates: readonly GateRun[];
  /** The message a commit-msg hook judges ("" when there is none yet); undefined without such a hook. */
  readonly commitMessage?: string;
}

/** The gates to run on this tree, in their order. */
export async function gatesOf(world: World, state: State, tree: string): Promise<GateList> {
  const place = placeOf(world, state);
  const hooks = await world.workspace.hooks(place);
  if (hooks.length === 0) return { gates: state.profile.gates };
  const index = await world.workspace.stagedIndex(place, tree);
  const message = state.package?.commit_message ?? "";
  const file = world.paths.output(state.bubbleId, "commit-msg.txt");
  const env = { GIT_INDEX_FILE: index, PAIRFLOW_MESSAGE: message, PAIRFLOW_MESSAGE_FILE: file };
  const runs = hooks.flatMap((hook): GateRun[] => {
    if (hook === "commit-msg" && !message) return [];
    return [{ name: `hook:${hook}`, command: hookCommands[hook], required: true, timeout_seconds: 600, env }];
  });
  return {
    gates: [...state.profile.gates, ...runs],
    ...(hooks.includes("commit-msg") ? { commitMessage: message } : {}),
  };
}

const hookCommands = {
  "pre-commit": "git hook run pre-commit",
  "commit-msg":
    'printf "%s\\n" "$PAIRFLOW_MESSAGE" > "$PAIRFLOW_MESSAGE_FILE" && git hook run commit-msg -- "$PAIRFLOW_MESSAGE_FILE"',
} as const;
