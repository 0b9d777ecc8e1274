// What is put together for the briefing of a turn before it starts.

export type Voice = "tools" | "verbs" | "json";

export interface BriefingInputs {
  /** The role's own text (prompts/<role>.md). */
  readonly roleText: string;
  /** The whole task text. */
  readonly task: string;
  /** The document that is implemented, and how many characters of it there is room for. */
  readonly document?: { readonly text: string; readonly room: number };
  /** The workflow's own words for this step, filled in. */
  readonly asked?: string;
  readonly worktree: string;
  readonly out: string;
  /** Absolute path of an artifact by its name. */
  readonly artifact: (name: string) => string;
  /** How this agent hands over. */
  readonly voice: Voice;
  /** The agent's session continues: it has been told all this before. */
  readonly resumed: boolean;
  /** What changed since this critic's last review, for one whose session continues. */
  readonly changes?: string;
  /** The producer's own words about its last handoff; given to critics only if the bubble says so. */
  readonly summary?: string;
  /** What of the project's knowledge this role is told, as Markdown. */
  readonly knowledge?: string;
}
