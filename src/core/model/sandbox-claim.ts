// What an agent that cannot reach the record may say to its driver: a claim of its own turn, and what hooks of its session tell. It comes from a program
// that nobody trusts, so its form is checked before anything of it is looked at.
import * as v from "valibot";

const Word = v.pipe(v.string(), v.maxLength(200));

/** A file that a claim refers to: one of the record, one of the worktree, or its content. */
const HandedRef = v.union([
  v.strictObject({ artifact: v.pipe(Word, v.startsWith("artifact://")) }),
  v.strictObject({ inside: v.pipe(v.string(), v.maxLength(4096)) }),
  v.strictObject({ name: Word, base64: v.string() }),
]);
export type HandedRef = v.InferOutput<typeof HandedRef>;

export const VerbQuestion = v.strictObject({
  bubble: Word,
  // The secret itself and not its hash, which everybody knows who can read the record.
  actor: v.strictObject({ kind: v.literal("agent"), turn: Word, attempt: v.number(), secret: Word }),
  said: v.looseObject({ type: v.picklist(["pass", "converged", "ask-human"]) }),
  digest: Word,
  refs: v.pipe(v.array(HandedRef), v.maxLength(100)),
});
export type VerbQuestion = v.InferOutput<typeof VerbQuestion>;

/** What an agent says in its own words; facts about a claim are the referee's own and are never taken from it. */
const spoken = [
  ...["type", "summary", "intent", "disputes", "noChange", "package", "checkpoint", "score", "paper"],
  ...["review", "findings", "noFindings", "answers", "checked", "opinion", "question", "options"],
];

/** What a hook of its session tells: an event as its CLI words it. */
export const HookQuestion = v.strictObject({
  bubble: Word,
  actor: VerbQuestion.entries.actor,
  hook: v.record(v.string(), v.unknown()),
  awaitsTools: v.boolean(),
});
export type HookQuestion = v.InferOutput<typeof HookQuestion>;

/** The claim without any word that is not its speaker's. */
export function pickSpokenWords(said: VerbQuestion["said"]): VerbQuestion["said"] {
  const words = Object.entries(said).filter(([word]) => spoken.includes(word));
  return Object.fromEntries(words) as VerbQuestion["said"];
}
