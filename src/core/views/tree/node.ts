// What a node of the tree of a run tells.
import type { Lifecycle, State } from "../../model/state.ts";

export type TreeState = "done" | "running" | "asks" | "approve" | "waiting" | "failed" | "paused";

export interface TreeNode {
  /** The run itself, a phase of it, a task with its bubble, or the bubble that continues in the place of another. */
  readonly kind: "run" | "phase" | "task" | "heir";
  readonly key: string;
  readonly title: string | null;
  readonly bubble: string | null;
  readonly lifecycle: Lifecycle | null;
  readonly state: TreeState;
  /** What happens or its result, in a few words. */
  readonly says: string;
  readonly parts?: { readonly done: number; readonly all: number };
  readonly step: string | null;
  readonly phase: string | null;
  readonly round: number;
  readonly agent: string | null;
  readonly role: string | null;
  readonly since: string | null;
  readonly question: { readonly id: string; readonly text: string; readonly command: string } | null;
  /** Whether somebody drives it; null where that is not known. */
  readonly driven: boolean | null;
  readonly cost: Cost;
  readonly children: readonly TreeNode[];
}

export interface Cost {
  readonly tokens: number;
  readonly usd: number | null;
}

/** The other bubbles: their states by id, and those that somebody drives. */
export interface Around {
  readonly states: ReadonlyMap<string, State>;
  readonly driven?: ReadonlySet<string>;
}
