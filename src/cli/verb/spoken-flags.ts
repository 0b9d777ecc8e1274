// Flags shared by the agent verbs, and their words turned into values.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ReviewClaim } from "../../core/model/command.ts";
import { spokenOpinion } from "../../core/review/claim.ts";
import {
  parseAnswer,
  parseChecked,
  parseFinding,
  parseFindings,
  parseSop,
  type Spoken,
} from "../../core/review/spoken.ts";
import { parseJson } from "../../core/text/json.ts";
import { usage, whyUnread } from "./outcome.ts";

export const bubbleFlags = {
  id: { kind: "text", value: "<id>", about: "the bubble; found from the current directory if left out" },
  repo: {
    kind: "text",
    value: "<path>",
    about: "the repository; found from the current directory if left out",
  },
} as const;

export const speakerFlags = {
  ...bubbleFlags,
  as: {
    kind: "text",
    value: "<role>",
    about: "operator: speak for the agent that has this role now (recorded; counts as no clean pass)",
  },
} as const;

export const answerFlags = {
  fixed: { kind: "list", value: "ID", about: "reviewer: this open finding is fixed" },
  open: { kind: "list", value: "ID", about: "reviewer: this finding is still open, or open again" },
  withdrawn: { kind: "list", value: "ID:reason", about: "reviewer: this finding was wrong, and why" },
  checked: {
    kind: "list",
    value: "'[C1] file:line [`quote`] why'",
    about:
      "reviewer: what you looked at and what it shows; file:39-41 is a range; C1 (a criterion), sop:<slug> or for:<question> in front says what it proves",
  },
  sop: {
    kind: "list",
    value: "'slug passed|violated|not_applicable evidence'",
    about: "reviewer: your answer to an SOP, with file:line, `quoted code` and what it shows",
  },
  confidence: { kind: "number", value: "0.0–1.0", about: "reviewer: how sure you are" },
  "review-file": {
    kind: "text",
    value: "<json>",
    about: "reviewer: the whole review in the bubble's dialect (pairflow schema)",
  },
} as const;

export const reviewFlags = {
  finding: {
    kind: "list",
    value: "'P1(area):Title @ file:line | `quote` why'",
    about: "reviewer: a defect; severity P0–P3 and title are enough",
  },
  "findings-file": { kind: "text", value: "<json>", about: "reviewer: many findings as a JSON array" },
  "no-findings": { kind: "switch", about: "reviewer: nothing new was found" },
  ...answerFlags,
} as const;

export const packageFlags = {
  what: { kind: "text", value: '"<text>"', about: "implementer: package, what changed" },
  why: { kind: "text", value: '"<text>"', about: "implementer: package, why" },
  risks: { kind: "text", value: '"<text>"', about: "implementer: package, tradeoffs and residual risks" },
  "test-plan": { kind: "text", value: '"<text>"', about: "implementer: package, how to try it by hand" },
  "commit-message": {
    kind: "text",
    value: '"<text>"',
    about: "implementer: package, suggested commit message",
  },
  "package-file": { kind: "text", value: "<json>", about: "implementer: the five parts as a JSON object" },
} as const;

/** The value, or a usage error with the form that is expected. */
export function said<T>(spoken: Spoken<T>): T {
  if (!spoken.ok) throw usage("usage.bad-finding", spoken.problem);
  return spoken.value;
}

interface ReviewWords {
  readonly finding?: readonly string[];
  readonly "findings-file"?: string;
  readonly "no-findings"?: boolean;
  readonly fixed: readonly string[];
  readonly open: readonly string[];
  readonly withdrawn: readonly string[];
  readonly checked: readonly string[];
  readonly sop: readonly string[];
  readonly confidence?: number;
  readonly "review-file"?: string;
}

export function reviewOf(flags: ReviewWords, cwd: string): ReviewClaim & { readonly review?: string } {
  if (flags["review-file"] !== undefined) return { review: reviewFile(flags, flags["review-file"], cwd) };
  const file = flags["findings-file"];
  const findings = [
    ...(flags.finding ?? []).map((text) => said(parseFinding(text))),
    ...(file ? said(parseFindings(readJson(file, cwd))) : []),
  ];
  const answers = [
    ...flags.fixed.map((text) => said(parseAnswer(text, "fixed"))),
    ...flags.open.map((text) => said(parseAnswer(text, "open"))),
    ...flags.withdrawn.map((text) => said(parseAnswer(text, "withdrawn"))),
  ];
  const checked = flags.checked.map((text) => said(parseChecked(text)));
  return {
    ...(findings.length > 0 ? { findings } : {}),
    ...(flags["no-findings"] ? { noFindings: true } : {}),
    ...(answers.length > 0 ? { answers } : {}),
    ...(checked.length > 0 ? { checked } : {}),
    ...spokenOpinion(
      { findings, answers },
      { sops: flags.sop.map((text) => said(parseSop(text))), confidence: sureness(flags) },
    ),
  };
}

/** How sure the reviewer is, as a share of one. */
function sureness({ confidence }: ReviewWords): number | undefined {
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    throw usage("usage.bad-finding", `--confidence ${confidence} is not from 0 to 1`);
  return confidence;
}

/** A written review says everything; flags beside it would say it twice. */
function reviewFile(flags: ReviewWords, file: string, cwd: string): string {
  const lists = [flags.finding, flags.fixed, flags.open, flags.withdrawn, flags.checked, flags.sop];
  const others = lists.some((list) => list?.length) || flags["no-findings"] || flags["findings-file"];
  if (others || flags.confidence !== undefined)
    throw usage("usage.two-reviews", "--review-file says the whole review; leave the other review flags out");
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    throw usage("usage.bad-review-file", `${file}: ${whyUnread(error)}`, "pairflow schema --example");
  }
}

function readJson(file: string, cwd: string): unknown {
  try {
    return parseJson(readFileSync(resolve(cwd, file), "utf8"));
  } catch (error) {
    throw usage(
      "usage.bad-findings-file",
      `${file}: ${(error as Error).message}`,
      "a JSON array of {severity, title, area?, file?, line?, end_line?, quote?, why?, advice?}",
    );
  }
}

/** The document that an author hands in, from a file or, with `-`, from standard input. */
export function paperOf(file: string | undefined, cwd: string): { readonly paper?: object } {
  if (file === undefined) return {};
  const bad = (what: string) =>
    usage(
      "usage.bad-paper-file",
      `${file === "-" ? "standard input" : file}: ${what}`,
      "a JSON object; pairflow schema lists the papers",
    );
  let read: unknown;
  try {
    read = parseJson(readFileSync(file === "-" ? 0 : resolve(cwd, file), "utf8"));
  } catch (error) {
    throw bad((error as Error).message);
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw bad("not an object");
  return { paper: read };
}

/** The summary; only a written review brings its own. */
export function summaryOf(flags: { readonly summary?: string; readonly "review-file"?: string }): string {
  if (flags.summary === undefined && flags["review-file"] === undefined)
    throw usage("usage.missing-flag", "--summary is missing", '--summary "what you did, or what you found"');
  return flags.summary ?? "";
}
