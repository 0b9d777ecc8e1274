// The language of scripted agents: what a script may say and how it is checked. Pure; reading the file and doing
// what a step says is elsewhere. docs/scripted-agents.md is its reference.
import * as v from "valibot";
import { describeIssue } from "../../../core/model/value/issue-text.ts";
import { compileGlob } from "../../../core/text/glob.ts";
import { suggestWord } from "../../../core/text/nearest.ts";

/** An object that takes no other words, and says which one was probably meant. */
function defineStrictEntries<const E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, (issue) => {
    const word = String(issue.input);
    if (issue.expected === "never")
      return `${word} is not known here${suggestWord(word, Object.keys(entries))}`;
    return issue.expected === "Object" ? "must have words and values" : `needs ${issue.expected}`;
  });
}

const { optional } = v;
const text = v.pipe(v.string("must be a text"), v.minLength(1, "must not be empty"));
const texts = v.array(text, "must be a list of texts");
const code = v.pipe(v.number("must be an exit code"), v.integer(), v.minValue(0), v.maxValue(255));
const isTrue = v.literal(true, "must be true");

const timeForm = "must be a time such as 300ms, 2s or 1m";
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
const milliseconds = v.pipe(
  v.string(timeForm),
  v.regex(/^\d+(\.\d+)?(ms|s|m)$/, timeForm),
  v.transform((time) => Number.parseFloat(time) * (unitMs[time.replace(/[\d.]+/, "")] ?? 1)),
);

const answers = {
  fixed: optional(texts),
  open: optional(texts),
  withdrawn: optional(texts),
  checked: optional(texts),
  sops: optional(texts),
  confidence: optional(v.number("must be a number")),
  refs: optional(texts),
};
const question = v.pipe(
  v.union([
    text,
    defineStrictEntries({ question: text, options: optional(texts), wait: optional(v.boolean()) }),
  ]),
  v.transform((asked) => (typeof asked === "string" ? { question: asked } : asked)),
);

/** Every step a script may take, with the shape of its value. */
const actions = {
  say: text,
  wait: milliseconds,
  write: defineStrictEntries({ path: text, text: v.string("must be a text") }),
  replace: defineStrictEntries({ path: text, find: text, with: v.string("must be a text") }),
  delete: text,
  run: text,
  ask: question,
  pass: defineStrictEntries({
    summary: text,
    findings: optional(texts),
    no_findings: optional(isTrue),
    ...answers,
    disputes: optional(texts),
    no_change: optional(text),
    what: optional(text),
    why: optional(text),
    risks: optional(text),
    test_plan: optional(text),
    commit_message: optional(text),
    intent: optional(text),
    checkpoint: optional(text),
    score: optional(v.number("must be a number")),
  }),
  converge: defineStrictEntries({ summary: text, ...answers }),
  /** A whole review as JSON; `{{tree}}` in it stands for the tree that is judged. */
  review: v.union(
    [text, v.record(v.string(), v.unknown())],
    "must be a review as the bubble's dialect spells it, or a text",
  ),
  /** A whole paper as JSON, handed in with a summary. */
  paper: v.record(v.string(), v.unknown(), "must be a paper as its kind spells it"),
  crash: v.union([v.literal("kill"), code], 'must be an exit code or the word "kill"'),
  hang: isTrue,
  nonsense: text,
  verb: v.pipe(
    v.array(v.string("must be a text"), "must be a list of texts"),
    v.minLength(1, "must name a verb"),
  ),
  spawn_orphan: isTrue,
} as const;
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as readonly ActionName[];
export type ActionValue<A extends ActionName> = v.InferOutput<(typeof actions)[A]>;

const once = { once: optional(isTrue) };
const refusable = { ...once, on_refused: optional(v.literal("continue", 'must be "continue"')) };
const exiting = { ...once, expect_exit: optional(code) };
/** What may stand beside an action; beside those not named here only `once`. */
const modifiers: Partial<Record<ActionName, v.ObjectEntries>> = {
  pass: refusable,
  converge: refusable,
  review: refusable,
  paper: refusable,
  ask: refusable,
  verb: { ...refusable, ...exiting },
  run: exiting,
};

export type ScriptStep = {
  [A in ActionName]: {
    readonly action: A;
    readonly value: ActionValue<A>;
    /** Left out in a later attempt at the same turn. */
    readonly once?: true;
    readonly on_refused?: "continue";
    readonly expect_exit?: number;
  };
}[ActionName];

interface Entry {
  readonly role?: string | undefined;
  /** Only in bubbles of this name; `*` stands for anything. */
  readonly bubble?: string | undefined;
  readonly steps: readonly ScriptStep[];
}

export interface Script {
  readonly agent?: string | undefined;
  readonly turns: readonly Entry[];
  readonly then: "repeat-last" | "end";
}

export interface ScriptProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type CheckedScript<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ScriptProblem[] };

const Document = defineStrictEntries({
  agent: optional(text),
  turns: v.pipe(
    v.array(
      defineStrictEntries({
        role: optional(text),
        bubble: optional(text),
        steps: v.pipe(v.array(v.unknown(), "must be a list of steps"), v.minLength(1, "must have a step")),
      }),
      "must be a list of turns",
    ),
    v.minLength(1, "must have a turn"),
  ),
  // biome-ignore lint/suspicious/noThenProperty: the word of the language; nobody awaits a script.
  then: optional(v.picklist(["repeat-last", "end"], 'must be "repeat-last" or "end"'), "end"),
});

/** Checks a whole document and returns the script, or everything that is wrong with it. */
export function checkScript(document: unknown): CheckedScript<Script> {
  const outer = check(Document, document, []);
  if (!outer.ok) return outer;
  const problems: ScriptProblem[] = [];
  const turns = outer.value.turns.map((turn, t) => ({
    role: turn.role,
    bubble: turn.bubble,
    steps: turn.steps.flatMap((value, s) => {
      const step = checkStep(value, ["turns", t, "steps", s]);
      if (!step.ok) problems.push(...step.problems);
      return step.ok ? [step.value] : [];
    }),
  }));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { ...outer.value, turns } };
}

/** The turns that are meant for a bubble: those that name it, or else those that name none. */
export function selectTurns(script: Script, bubble: string): Script {
  const named = script.turns.filter((turn) => turn.bubble !== undefined && compileGlob(turn.bubble)(bubble));
  return {
    ...script,
    turns: named.length > 0 ? named : script.turns.filter((turn) => turn.bubble === undefined),
  };
}

function checkStep(value: unknown, path: ScriptProblem["path"]): CheckedScript<ScriptStep> {
  const words = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const action = actionNames.find((name) => words.includes(name));
  if (action === undefined) {
    const word = words[0];
    const message =
      word === undefined
        ? "must be a step such as {say: hello}"
        : `${word} is no step${suggestWord(word, actionNames)}`;
    return { ok: false, problems: [{ path: word === undefined ? path : [...path, word], message }] };
  }
  const schema = defineStrictEntries({ [action]: actions[action], ...(modifiers[action] ?? once) });
  const checked = check(schema, value, path);
  if (!checked.ok) return checked;
  const { [action]: inner, ...beside } = checked.value as Record<string, unknown>;
  return { ok: true, value: { action, value: inner, ...beside } as ScriptStep };
}

function check<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  path: ScriptProblem["path"],
): CheckedScript<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { ok: true, value: parsed.output };
  const problems = parsed.issues.map((issue) => ({
    path: [...path, ...(issue.path ?? []).map((item) => item.key as string | number)],
    message: describeIssue(issue),
  }));
  return { ok: false, problems };
}
