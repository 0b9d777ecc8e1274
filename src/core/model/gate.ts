// A gate is a command the referee runs itself on one git tree; its result is evidence for that tree alone.
import * as v from "valibot";
import { Label } from "./value/label.ts";

/** A path that does not lead out of the folder it starts from. */
const InnerPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.check(
    (path) => !/^(?:[\\/]|[a-z]:)/i.test(path) && !path.split(/[\\/]/).includes(".."),
    "must be a path inside the tree",
  ),
);

/** A regular expression that is looked for line by line in what a gate prints; core/gates/output/patterns.ts says how. */
const Pattern = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

export const Gate = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9:_-]{0,39}$/i, "must be a short word")),
  command: v.pipe(v.string(), v.minLength(1), v.maxLength(4000)),
  required: v.boolean(),
  timeout_seconds: v.optional(v.pipe(v.number(), v.minValue(1)), 600),
  /** Percent of lines covered that the tool's own report must show. */
  threshold: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  /** Where that report is, from the gate's folder; the usual places are tried if left out. */
  report: v.optional(InnerPath),
  /** Runs only when a changed file matches one of these. */
  trigger: v.optional(v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1))),
  /** The folder it runs in, from the root of the tree. */
  working_dir: v.optional(InnerPath),
  /** May run beside other parallel gates. */
  parallel: v.optional(v.boolean()),
  /** Runs in a clean checkout of the tree instead of the worktree. */
  isolated: v.optional(v.boolean()),
  /** How to get the tool it needs. */
  install: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** Must stand in the output of a run that ended well. */
  success_pattern: v.optional(Pattern),
  /** Must not stand there. */
  failure_pattern: v.optional(Pattern),
  /** A test run in which no test ran is green all the same. */
  allow_empty: v.optional(v.boolean()),
  /** It may reach the network from inside its sandbox; left out: loopback only. */
  network: v.optional(v.picklist(["on", "off"])),
  /** Labels of the machines that may run it, where several share the work. */
  needs: v.optional(v.pipe(v.array(Label), v.minLength(1))),
});
export type Gate = v.InferOutput<typeof Gate>;

/** The test profile of a bubble: the resolved gate list, or a human's word that there is none. */
export const Profile = v.strictObject({
  gates: v.array(Gate),
  /** How the list came about, for people: "detected (typescript)", "given by flag", … */
  source: v.string(),
  /** A human (or a flag that speaks for one) confirmed it. */
  confirmed: v.boolean(),
  /** Set when a human said that no test command exists, and why. */
  not_available: v.optional(v.string()),
});
export type Profile = v.InferOutput<typeof Profile>;

/** `skipped`: none of the files it looks at changed. */
export const GateStatus = v.picklist(["passed", "failed", "timeout", "error", "skipped"]);

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const GateResult = v.strictObject({
  name: v.string(),
  command: v.string(),
  required: v.boolean(),
  status: GateStatus,
  exit_code: v.nullable(v.number()),
  duration_ms: v.number(),
  /** Head and tail of the output, for prompts; the whole is in the artifact. */
  excerpt: v.pipe(v.string(), v.maxLength(8000)),
  hint: v.optional(v.string()),
  /** Percent of lines covered, where a threshold asked for it. */
  coverage: v.optional(v.number()),
  threshold: v.optional(v.number()),
  /** How many tests it says passed and failed, where its output is one that is known. */
  tests: v.optional(v.strictObject({ passed: Count, failed: Count })),
  /** Hash of its output as it was kept; what was left out of a very long one is said in it. */
  digest: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /** The program that a shell did not find. */
  missing: v.optional(v.pipe(v.string(), v.maxLength(200))),
  /** The signal that ended it, where it was neither its own end nor the time limit. */
  signal: v.optional(v.pipe(v.string(), v.maxLength(20))),
  /** It was red on this very tree before, and is green now. */
  flaky: v.optional(v.literal(true)),
  /** Files of the tree that it changed instead of judging them; they were put back. */
  wrote: v.optional(v.array(v.pipe(v.string(), v.maxLength(1000)))),
  /** Artifact with what it wrote, as a patch. */
  patch: v.optional(v.pipe(v.string(), v.maxLength(300))),
  /** What confined it; `none`: it ran with the rights of the person. */
  sandbox: v.optional(v.picklist(["none", "bubblewrap"])),
});
export type GateResult = v.InferOutput<typeof GateResult>;
