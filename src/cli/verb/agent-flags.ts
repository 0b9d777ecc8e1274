// Flags shared by the agent verbs, and their words turned into values.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildUsageError, readNamedText } from "../../app/host/usage.ts";
import type { ReviewClaim } from "../../core/model/command.ts";
import { check } from "../../core/model/value/validate.ts";
import { buildOpinion } from "../../core/review/claim.ts";
import {
  type ParsedFlag,
  parseAnswer,
  parseChecked,
  parseFinding,
  parseFindings,
  parseSopAnswer,
} from "../../core/review/typed-flags.ts";
import { isObject } from "../../core/schema/absent.ts";
import { review } from "../../core/schema/claim.ts";
import { parseJson } from "../../core/text/json.ts";
import { evidenceFlags, packageFlags as partFlags } from "./claim-flags.ts";
import { explainUnread } from "./result.ts";

export const bubbleFlags = {
  id: {
    kind: "text",
    value: "<id>",
    names: "bubble",
    about: "the bubble, also without the flag; the one of this folder or the only one if left out",
  },
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
  ...evidenceFlags,
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
  ...partFlags,
  "package-file": { kind: "text", value: "<json>", about: "implementer: the five parts as a JSON object" },
} as const;

/** The value, or a usage error with the form that is expected. */
export function requireSpoken<T>(spoken: ParsedFlag<T>): T {
  if (!spoken.ok) throw buildUsageError("usage.bad-finding", spoken.problem);
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

export function buildReview(flags: ReviewWords, cwd: string): ReviewClaim & { readonly review?: string } {
  if (flags["review-file"] !== undefined) return { review: readReviewFile(flags, flags["review-file"], cwd) };
  const file = flags["findings-file"];
  const findings = [
    ...(flags.finding ?? []).map((text) => requireSpoken(parseFinding(text))),
    ...(file ? requireSpoken(parseFindings(readJson(resolve(cwd, file), refuseBadFindings(file)))) : []),
  ];
  const answers = [
    ...flags.fixed.map((text) => requireSpoken(parseAnswer(text, "fixed"))),
    ...flags.open.map((text) => requireSpoken(parseAnswer(text, "open"))),
    ...flags.withdrawn.map((text) => requireSpoken(parseAnswer(text, "withdrawn"))),
  ];
  const checked = flags.checked.map((text) => requireSpoken(parseChecked(text)));
  return {
    ...(findings.length > 0 ? { findings } : {}),
    ...(flags["no-findings"] ? { noFindings: true } : {}),
    ...(answers.length > 0 ? { answers } : {}),
    ...(checked.length > 0 ? { checked } : {}),
    ...buildOpinion(
      { findings, answers },
      { sops: flags.sop.map((text) => requireSpoken(parseSopAnswer(text))), confidence: findSureness(flags) },
    ),
  };
}

/** How sure the reviewer is, as a share of one. */
function findSureness({ confidence }: ReviewWords): number | undefined {
  if (!check(review.confidence, confidence).ok)
    throw buildUsageError("usage.bad-finding", `--confidence ${confidence} is not from 0 to 1`);
  return confidence;
}

/** A written review says everything; flags beside it would say it twice. */
function readReviewFile(flags: ReviewWords, file: string, cwd: string): string {
  const lists = [flags.finding, flags.fixed, flags.open, flags.withdrawn, flags.checked, flags.sop];
  const others = lists.some((list) => list?.length) || flags["no-findings"] || flags["findings-file"];
  if (others || flags.confidence !== undefined)
    throw buildUsageError(
      "usage.two-reviews",
      "--review-file says the whole review; leave the other review flags out",
    );
  return readNamedText(resolve(cwd, file), (error) =>
    buildUsageError("usage.bad-review-file", `${file}: ${explainUnread(error)}`, "pairflow schema --example"),
  );
}

type Bad = (what: string) => ReturnType<typeof buildUsageError>;

/** The value in a JSON file, or on standard input. */
function readJson(from: string | 0, bad: Bad): unknown {
  try {
    return parseJson(readFileSync(from, "utf8"));
  } catch (error) {
    throw bad((error as Error).message);
  }
}

/** The same for one JSON object. */
export function readJsonObject(from: string | 0, bad: Bad): Readonly<Record<string, unknown>> {
  const read = readJson(from, bad);
  if (!isObject(read)) throw bad("not an object");
  return read;
}

const refuseBadFindings =
  (file: string): Bad =>
  (what) =>
    buildUsageError(
      "usage.bad-findings-file",
      `${file}: ${what}`,
      "a JSON array of {severity, title, area?, file?, line?, end_line?, quote?, why?, advice?}",
    );

/** The document that an author hands in, from a file or, with `-`, from standard input. */
export function readPaperFile(file: string | undefined, cwd: string): { readonly paper?: object } {
  if (file === undefined) return {};
  const bad = (what: string) =>
    buildUsageError(
      "usage.bad-paper-file",
      `${file === "-" ? "standard input" : file}: ${what}`,
      "a JSON object; pairflow schema lists the papers",
    );
  return { paper: readJsonObject(file === "-" ? 0 : resolve(cwd, file), bad) };
}

/** The summary; only a written review brings its own. */
export function requireSummary(flags: {
  readonly summary?: string;
  readonly "review-file"?: string;
}): string {
  if (flags.summary === undefined && flags["review-file"] === undefined)
    throw buildUsageError(
      "usage.missing-flag",
      "--summary is missing",
      '--summary "what you did, or what you found"',
    );
  return flags.summary ?? "";
}
