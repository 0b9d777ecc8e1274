// What is wanted of a new bubble, in the one form that the maker takes. A person asks for a part of it and the project's
// settings fill in the rest; who makes a bubble of another one, or of a throw-away repository, knows all of it.
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Profile } from "../../core/model/gate.ts";
import type { PayloadOf } from "../../core/model/record/envelope.ts";
import type { Task } from "../task/file.ts";
import type { DocumentToImplement } from "../task/implemented-document.ts";
import type { Payload, WorkflowFile } from "../workflows/file.ts";

type CreatedPayload = PayloadOf<"BUBBLE_CREATED">;

/** Where it comes from, where it comes from somewhere. */
export interface Origin {
  /** The commit it begins on, where that is not the newest of its branch. */
  readonly baseCommit?: string | undefined;
  /** A commit whose files are the first ones of its worktree, as uncommitted changes to the base. */
  readonly work?: string | undefined;
  /** The bubble whose child this is. */
  readonly parent?: CreatedPayload["parent"];
  /** Which wish of another bubble this one fulfils, so that it is found again. */
  readonly startedBy?: string | undefined;
  /** The bubbles whose work continues here. */
  readonly lineage?: CreatedPayload["lineage"];
  /** The damaged record whose good part continues here. */
  readonly salvaged?: CreatedPayload["salvaged"];
  /** The run that ended and continues here, with what nobody has answered there. */
  readonly continues?: CreatedPayload["continues"];
}

/** What a person asked for. */
export interface AskedBubble extends Pick<Origin, "baseCommit" | "work" | "continues"> {
  /** Absent: made from the workflow's name. */
  readonly id?: string | undefined;
  /** A workflow by name, or a file; absent: as the settings say. */
  readonly workflow?: string | undefined;
  /** A file or the words themselves; absent: what the workflow says about its tasks. */
  readonly task?: string | undefined;
  /** Acceptance criteria beside those of the task. */
  readonly criteria?: readonly string[];
  /** The folder from which files are named. */
  readonly cwd: string;
  /** The branch to start from; absent: the one that is checked out. */
  readonly base?: string | undefined;
  /** Settings beyond those of the project, in bubble.toml's own words. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the workflow is started with, beside what every run knows. */
  readonly payload?: Payload;
  readonly gates?: AskedGates;
  /** Gates that a human has confirmed already. */
  readonly profile?: Profile | undefined;
  /** Nothing is run in a fresh tree, whatever its lockfile suggests. */
  readonly noSetup?: boolean;
  /** The kind of seat it is started in at once: agents that cannot be are refused before a bubble is bound to them. */
  readonly startsIn?: string | undefined;
}

/** What was said about gates, beside settings and project. */
export interface AskedGates {
  readonly tests: readonly string[];
  readonly gates: Readonly<Record<string, string>>;
  /** There are none, with the reason. */
  readonly noTests?: { readonly reason: string | undefined } | undefined;
  /** Test commands that the task names, and where; for a project where none is found. */
  readonly named?: { readonly commands: readonly string[]; readonly where: string } | undefined;
}

/** A bubble of which everything is known. */
export interface DerivedBubble extends Origin {
  readonly config: BubbleConfig;
  readonly profile: Profile;
  readonly task: Task;
  readonly baseCommit: string;
  /** What the project's base says about how work is judged; pinned with the bubble. */
  readonly knowledge?: Knowledge;
  /** The approved document that it implements; its bytes become an artifact of this bubble. */
  readonly document?: DocumentToImplement | undefined;
  /** What it runs, read already; absent: the workflow that the settings name. */
  readonly workflow?: WorkflowFile;
}

export type WantedBubble = AskedBubble | DerivedBubble;

/** A bubble as it is pinned: nothing is left to fill in, and each name of its workflow has an agent. */
export interface SettledBubble extends DerivedBubble {
  readonly workflow: WorkflowFile;
}
