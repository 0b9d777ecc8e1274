// How one kind of agent is run. An adapter says what to execute for a turn; it knows nothing of rules or panes.
import type { AgentSettings } from "../core/model/config.ts";

export interface TurnRequest {
  readonly settings: AgentSettings;
  readonly agent: string;
  readonly role: string;
  readonly session: string;
  /** False: go on in `session`; true: a new session under that id. */
  readonly fresh: boolean;
  /** The short notice that is the agent's prompt; it names the prompt file. */
  readonly notice: string;
  readonly promptFile: string;
  readonly worktree: string;
  /** A folder outside the tree where the agent may put files it hands in. */
  readonly out: string;
  readonly readOnly: boolean;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the agent runs inside an OS sandbox that keeps the record out of its reach. */
  readonly sandboxed: boolean;
}

export interface AgentAdapter {
  readonly name: string;
  /** What is wrong with these settings, or undefined. */
  check(settings: AgentSettings): string | undefined;
  launch(turn: TurnRequest): Launch;
}
