// pairflow pass: the handoff. The producer says what it did, the author hands in a paper, the critic says what it found.

import { resolve } from "node:path";
import { findSpeaker, submitClaim } from "../../../app/caller/claims.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { getPartFlag, packageParts } from "../../../core/model/record/package.ts";
import { check } from "../../../core/model/value/validate.ts";
import { parseDispute } from "../../../core/review/typed-flags.ts";
import { handoff, scoring } from "../../../core/schema/claim.ts";
import { describeClaimed } from "../../screens/claim-result.ts";
import {
  buildReview,
  packageFlags,
  readJsonObject,
  readPaperFile,
  requireSpoken,
  requireSummary,
  reviewFlags,
  speakerFlags,
} from "../../verb/agent-flags.ts";
import { handoverFlags, refFlag, summaryFlag } from "../../verb/claim-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const pass = defineVerb({
  words: "pass",
  about: "Hand over your turn with a summary; reviewers declare findings or none",
  access: "agent",
  example:
    "pairflow pass --summary \"Totals are rounded once\" --finding 'P1:Discount ignored @ src/cart.ts:41'",
  flags: {
    summary: summaryFlag,
    ref: refFlag,
    intent: {
      kind: "text",
      about: "what the handoff is for; taken from your role if left out",
      oneOf: ["task", "review", "fix_request"],
    },
    ...reviewFlags,
    ...handoverFlags,
    ...packageFlags,
    ...speakerFlags,
  },
  async run(shell, { flags }) {
    const marks = buildMarks(flags);
    const paper = readPaperFile(flags.paper, shell.cwd);
    const speech = findSpeaker(flags, shell.cwd, shell.env);
    const disputes = flags.dispute.map((text) => requireSpoken(parseDispute(text)));
    const pack = findPackageFrom(flags, shell.cwd);
    const handled = await submitClaim(
      speech,
      {
        type: "pass",
        summary: requireSummary(flags),
        ...(flags.intent ? { intent: flags.intent as "task" | "review" | "fix_request" } : {}),
        ...buildReview(flags, shell.cwd),
        ...(disputes.length > 0 ? { disputes } : {}),
        ...(flags["no-change"] !== undefined ? { noChange: flags["no-change"] } : {}),
        ...(pack ? { package: pack } : {}),
        ...marks,
        ...paper,
      },
      flags.ref,
      shell.cwd,
    );
    if (handled.refusal) return { refusal: handled.refusal };
    const { type, seq, text } = describeClaimed(handled);
    if (handled.lacks.length > 0)
      shell.say(
        `Note: the package still lacks ${handled.lacks.join(", ")}; it is needed before this bubble can converge`,
      );
    return {
      text,
      json: { bubble: speech.located.bubble, type, seq, repeated: handled.repeats !== undefined },
    };
  },
});

interface Marks {
  readonly checkpoint?: string;
  readonly score?: number;
}

/** The checkpoint that is reached, and a judge's score of the tree. */
function buildMarks({ checkpoint, score }: Marks): Marks {
  if (!check(handoff.checkpoint, checkpoint).ok)
    throw buildUsageError(
      "usage.bad-checkpoint",
      "--checkpoint needs a name of at most 200 characters",
      '--checkpoint "schema agreed"',
    );
  if (!check(scoring.score, score).ok)
    throw buildUsageError("usage.bad-score", `--score ${score} is not from 0 to 1`, "--score 0.9");
  return {
    ...(checkpoint === undefined ? {} : { checkpoint: checkpoint.trim() }),
    ...(score === undefined ? {} : { score }),
  };
}

/** The package from flags, or from a JSON file with the same five words. */
function findPackageFrom(flags: { [key: string]: unknown }, cwd: string): Record<string, string> | undefined {
  const file = flags["package-file"];
  const parts = typeof file === "string" ? buildPackageFile(file, cwd) : {};
  for (const part of packageParts) {
    const value = flags[getPartFlag(part)];
    if (typeof value === "string") parts[part] = value;
  }
  return Object.keys(parts).length > 0 ? parts : undefined;
}

function buildPackageFile(file: string, cwd: string): Record<string, string> {
  const words: readonly string[] = packageParts;
  const bad = (what: string) =>
    buildUsageError("pass.bad-package-file", `${file}: ${what}`, `a JSON object with ${words.join(", ")}`);
  const read = readJsonObject(resolve(cwd, file), bad);
  for (const [key, value] of Object.entries(read)) {
    if (!words.includes(key) || typeof value !== "string")
      throw bad(`${key} is not a text part of the package`);
  }
  return { ...(read as Record<string, string>) };
}
