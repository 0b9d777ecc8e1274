// The form of a command: its words, its flags, who may use it and what it does. Help, docs/cli.md and the parser
// are all made from this one declaration.
import type { Lifecycle } from "../../core/model/state.ts";
import type { Failure } from "../../ports/failure.ts";
import type { RefusalLike } from "./result.ts";

export type FlagKind = "text" | "number" | "switch" | "list";

/** What has names that a person types. */
export type NamedThing = "bubble" | "workflow" | "agent" | "plan";

export interface Flag {
  readonly kind: FlagKind;
  readonly value?: string;
  readonly about: string;
  readonly required?: boolean;
  /** What its value is the name of; a bubble that is left out is chosen. */
  readonly names?: NamedThing;
  /** What stands behind the = of its value is the name of. */
  readonly namesBehind?: NamedThing;
  /** The only words allowed. */
  readonly oneOf?: readonly string[];
}
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F["kind"] extends "text"
  ? string
  : F["kind"] extends "number"
    ? number
    : F["kind"] extends "switch"
      ? boolean
      : readonly string[];

/** Switches are always there (false), lists too (empty); text and numbers only if given. */
export type Values<F extends Flags> = {
  readonly [K in keyof F as F[K]["kind"] extends "switch" | "list"
    ? K
    : F[K]["required"] extends true
      ? K
      : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["kind"] extends "switch" | "list"
    ? never
    : F[K]["required"] extends true
      ? never
      : K]?: ValueOf<F[K]>;
};

export interface Input<F extends Flags> {
  readonly flags: Values<F>;
  readonly words: readonly string[];
}

/** Who the verb is for; operator verbs are refused inside an agent's process tree, granting ones need a terminal or a key. */
export type Access = "read" | "agent" | "operator" | "granting";

export interface Shell {
  readonly name: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  /** Narration: goes to stderr, never mixed with the result. */
  say(line: string): void;
  /** The result: goes to stdout. */
  print(text: string): void;
  readonly colour: boolean;
  readonly interactive: boolean;
}

/** What a verb returns: the result as text and as a value, or a refusal. Undefined: it has said all itself. */
export interface CommandResult {
  readonly text?: string;
  readonly json?: unknown;
  /** It ends the command; what was found until then stands before it, as text or beside it in the JSON. */
  readonly refusal?: RefusalLike | Failure;
  /** The text has said the refusal already: only the JSON and the exit code tell it. */
  readonly isTold?: boolean;
  readonly exitCode?: number;
}

export interface Verb<F extends Flags = Flags> {
  readonly words: string;
  /** Other words for it, for hands that are used to them. */
  readonly also?: readonly string[];
  readonly about: string;
  readonly access: Access;
  readonly flags: F;
  /** Positional arguments, as shown in help: "[slug]". */
  readonly takes?: string;
  /** What its first positional argument is the name of. */
  readonly takesName?: NamedThing;
  /** The only words its first positional argument can be. */
  readonly takesOneOf?: readonly string[];
  /**
   * For a command about one bubble: the states it makes sense in, by which the bubble is chosen when none is named. Any state if
   * left out; `named`: none is ever chosen.
   */
  readonly suits?: readonly Lifecycle[] | "named";
  /** The switch by which all bubbles are meant: no single one is chosen then. */
  readonly everyFlag?: string;
  readonly hidden?: boolean;
  readonly example?: string;
  /** What its help says below the flags. */
  readonly notes?: readonly string[];
  run(shell: Shell, input: Input<F>): Promise<CommandResult | undefined>;
}

/** Whether the bubble may stand as a word of its own. Agents are told their bubble; a word of theirs is a forgotten flag. */
export const takesId = ({ flags, takes, access }: Verb): boolean =>
  "id" in flags && takes === undefined && access !== "agent";

/** The words behind the command, as help shows them. */
export const getTaken = (verb: Verb): string => verb.takes ?? (takesId(verb) ? "[id]" : "");

export function defineVerb<const F extends Flags>(declaration: Verb<F>): Verb {
  return declaration as unknown as Verb;
}
