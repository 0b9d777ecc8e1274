// How one kind of agent is run: what to execute for a turn and, without a terminal, what to say to the process and how
// to understand it. An adapter knows nothing of rules, panes, files or the record.
import type { AgentSettings } from "../../core/model/config.ts";
import type { Usage } from "../../core/model/record/usage.ts";
import type { AgentQuestion, TurnEnd, TurnTrouble } from "../../core/model/turn-end.ts";

export interface TurnRequest {
  readonly settings: AgentSettings;
  readonly agent: string;
  readonly role: string;
  /** The session to continue in, or the id a new one should have where the CLI lets us choose. */
  readonly session: string;
  /** False: continue in `session`; true: a new session. */
  readonly fresh: boolean;
  /** The short notice that is the agent's prompt in a pane; it names the prompt file. */
  readonly notice: string;
  readonly promptFile: string;
  /** The whole prompt, for turns without a terminal. */
  readonly prompt: string;
  /** JSON Schema of the final answer of a turn without a terminal; every property is required, unused ones are null. */
  readonly answerSchema: Readonly<Record<string, unknown>>;
  readonly worktree: string;
  /** A folder outside the tree where the agent may put files it hands in. */
  readonly out: string;
  readonly readOnly: boolean;
  /** It runs in a sandbox of ours; what a launch that `readsOnly` runs cannot write the worktree there. */
  readonly confined?: boolean;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the agent runs inside an OS sandbox that keeps the record out of its reach. */
  readonly sandboxed: boolean;
  /** A sandbox of ours lets it read the worktree and not write it. */
  readonly readsOnly?: boolean;
}

/** A turn without a terminal: the process, and the conversation with it. */
export interface Headless extends Launch {
  /** `channel`: what the conversation sends reaches its standard input; `prompt`: it reads the prompt there; `none`: closed. */
  readonly stdin: "channel" | "prompt" | "none";
  /** What it reads there with `prompt`, where that is more than the prompt as it is. */
  readonly input?: string;
  converse(host: ConversationHost): Conversation;
}

/** What a conversation does to the outside. */
export interface ConversationHost {
  /** One line (without its newline) to the process. The same line is never sent twice: a replay is harmless. */
  send(line: string): void;
  happened(event: TurnEvent): void;
}

export type TurnEvent =
  /** The CLI's own id of the session; known from then on. */
  | { readonly type: "session"; readonly id: string }
  /** What this attempt has used so far, this process alone. The newest one counts. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** The process waits for a human's answer; `Conversation.answer` gives it. */
  | { readonly type: "asked"; readonly id: string; readonly questions: readonly AgentQuestion[] }
  | { readonly type: "refused-tool"; readonly tool: string; readonly why: string }
  /** What it is doing, in a few words, for people who watch. */
  | { readonly type: "doing"; readonly text: string }
  | { readonly type: "over"; readonly end: TurnEnd };

/**
 * C1 `heard` called again with the same lines from the start leads to the same events and the same sent lines: a driver
 *    that takes over reads the output file from its beginning
 * C2 after `closed` there has been exactly one `over`
 * C3 an answer is passed on as the agent gave it; judging it is the referee's business
 */
export interface Conversation {
  /** The process runs: the first words, if the protocol has any. */
  begin(): void;
  /** One line of standard output, without its newline. */
  heard(line: string): void;
  /** The process has ended. */
  closed(exit: ProcessExit): void;
  /** A human's answer to everything that `asked` with this id wanted to know, by the id of each question. */
  answer(id: string, answers: Readonly<Record<string, string>>): void;
  /** Asks the agent to stop what it does. */
  interrupt(): void;
}

export interface ProcessExit {
  /** Undefined when nobody saw how it ended: the driver that started it is gone. */
  readonly code?: number;
  /** The end of what it printed to standard error. */
  readonly stderr: string;
}

/** What an adapter can do; shown in the docs, and each is proven by the contract suite. */
export interface Abilities {
  readonly resume: Ability;
  readonly structuredAnswer: Ability;
  readonly readOnly: Ability;
  readonly usage: Ability;
  readonly ask: Ability;
  readonly interrupt: Ability;
  readonly panes: Ability;
}

/** `no` and `partly` say why. */
export type Ability = "yes" | { readonly no: string } | { readonly partly: string };

/** How `doctor` finds out whether the program is there and may be used. No secret is ever read. */
export interface Probe {
  readonly program: string;
  readonly versionArgs: readonly string[];
  /** The oldest version this adapter was tried with. */
  readonly since?: string;
  /** Every version it was tried with. */
  readonly tried?: readonly string[];
  /** How a person gets it. */
  readonly install: string;
  /** Exits with 0 when logged in. */
  readonly loginArgs?: readonly string[];
  /** Variables that stand for a login too. */
  readonly loginVariables?: readonly string[];
  readonly login?: string;
  /** Why a "no" of that command may be wrong; it is only a warning then. */
  readonly loginDoubt?: string;
}

export interface AgentAdapter {
  readonly name: string;
  readonly about: string;
  readonly can: Abilities;
  /** How it hands over: `tools` of Pairflow's MCP server, `verbs` on a command line, or `json` as its final answer. */
  readonly voice: { readonly pane: "tools" | "verbs"; readonly headless: "json" | "verbs" };
  /** Variables of the person's environment that this agent's own process gets on top of the common ones; `A_*` is a prefix. */
  readonly variables: readonly string[];
  /** Where its CLI tells of a session as soon as there is one: in its output, or by hooks in a pane. Not told: not there. */
  readonly tellsSession?: readonly ("pane" | "headless")[];
  /** Whether a session can be resumed with these settings; without it, what `can.resume` says. */
  resumes?(settings: AgentSettings, seat: "pane" | "headless"): boolean;
  /** Where such programs keep logins and sessions: paths from the home, there and writable in a sandbox of ours. */
  home?(settings: AgentSettings): readonly string[];
  /** Why it cannot sit in a pane with these settings, or undefined. */
  noPane?(settings: AgentSettings): string | undefined;
  /** What is wrong with these settings, or undefined. */
  check(settings: AgentSettings): string | undefined;
  probe?(settings: AgentSettings): Probe | undefined;
  /** What its screen shows in a pane while it takes words; without one, words are put in at any time. */
  readonly readyMark?: RegExp;
  /** Files its own sandbox leaves in a worktree when it is killed, known by what they are; what a tree holds already is not taken away. */
  leftovers?(worktree: string): readonly string[];
  /** Why a session in a pane rests although nobody handed over: its newest turn failed. From the same file as `usageIn`. */
  troubleIn?(transcript: string, since: string): TurnTrouble | undefined;
  /** What a session in a pane used since a moment, from the file in which its CLI keeps the session. */
  usageIn?(transcript: string, since: string): Usage | undefined;
  /** A turn in a pane that people watch. */
  launch(turn: TurnRequest): Launch;
  /** A turn without a terminal. */
  headless(turn: TurnRequest): Headless;
}
