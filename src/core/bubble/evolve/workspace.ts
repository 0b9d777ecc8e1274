// The workspace as the fold keeps it: where it is, on which host, and what is different in it.
import type { PayloadOf } from "../../model/record/envelope.ts";
import type { State } from "../../model/state.ts";

/** Its notes are for the agent that works there; most trees have none. */
type Ready = PayloadOf<"WORKSPACE_READY">;

export function buildWorkspace(payload: Ready, host: string | undefined): NonNullable<State["workspace"]> {
  const { tree, base, problem } = payload;
  return {
    ...pickPlace(payload, host),
    tree,
    ...(base ? { base } : {}),
    ...(problem ? { problem } : {}),
  };
}

export const pickPlace = ({ path, branch, notes }: Ready, host: string | undefined) => ({
  path,
  branch,
  ...(host === undefined ? {} : { host }),
  ...(notes.length > 0 ? { notes } : {}),
});

/** Where nobody said on which host the worktree was made, it is where the bubble was driven first. */
export function placeWorkspace({ workspace, driver }: State, host: string): Pick<State, "workspace"> {
  return workspace && workspace.host === undefined
    ? { workspace: { ...workspace, host: driver?.host ?? host } }
    : {};
}
