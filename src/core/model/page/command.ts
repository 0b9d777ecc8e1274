// What the page may send: a person's words about one bubble of one repository. Checked here before anything is looked up.
import * as v from "valibot";
import { BubbleId } from "../config.ts";

const defineText = (max: number) => v.pipe(v.string(), v.maxLength(max));
const words = defineText(20_000);
const about = { repo: defineText(200), bubble: BubbleId };

export const PageCommand = v.variant("do", [
  v.strictObject({
    do: v.literal("reply"),
    ...about,
    question: defineText(40),
    message: words,
    choice: v.optional(defineText(200)),
    rounds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
    findings: v.optional(v.array(defineText(20))),
    waive_gates: v.optional(v.array(defineText(200))),
  }),
  /** An answer to what a project itself asks. */
  v.strictObject({
    do: v.literal("convention"),
    repo: defineText(200),
    name: defineText(400),
    choice: v.literal("dismiss"),
    message: words,
  }),
  /** Asks the terminal of `pairflow ui` to accept it, as it was shown. */
  v.strictObject({
    do: v.literal("ask-convention"),
    repo: defineText(200),
    name: defineText(400),
    digest: v.pipe(v.string(), v.length(64)),
    message: words,
  }),
  v.strictObject({
    do: v.literal("rework"),
    ...about,
    /** The digest of what was looked at. */
    digest: defineText(64),
    message: words,
    reject: v.boolean(),
    /** The comments that were shown with it, by their ids: each becomes a finding. */
    comments: v.pipe(v.array(defineText(40)), v.maxLength(200)),
  }),
  /** Asks the terminal of `pairflow ui` to sign; the page itself grants nothing. */
  v.strictObject({ do: v.literal("ask-approval"), ...about, digest: v.pipe(v.string(), v.length(64)) }),
  v.strictObject({ do: v.literal("stop"), ...about, message: words }),
  v.strictObject({ do: v.literal("pause"), ...about, message: words, now: v.boolean() }),
  v.strictObject({ do: v.literal("resume"), ...about, message: words }),
  v.strictObject({ do: v.literal("start"), ...about }),
  /** Opens its worktree with the command that the person has confirmed. */
  v.strictObject({ do: v.literal("open"), ...about }),
]);
export type PageCommand = v.InferOutput<typeof PageCommand>;

/** The code from the terminal, or with --host the password, that becomes a session. */
export const OpenBody = v.strictObject({
  code: v.optional(defineText(100)),
  password: v.optional(defineText(1000)),
});
