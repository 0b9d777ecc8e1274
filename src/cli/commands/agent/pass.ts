// pairflow pass: the handoff. The producer says what it did, the author hands in a paper, the critic says what it found.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { claim, speakerFrom } from "../../../app/caller/claims.ts";
import { parseDispute } from "../../../core/review/spoken.ts";
import { parseJson } from "../../../core/text/json.ts";
import { claimed } from "../../screens/claimed.ts";
import { usage } from "../../verb/outcome.ts";
import {
  packageFlags,
  paperOf,
  reviewFlags,
  reviewOf,
  said,
  speakerFlags,
  summaryOf,
} from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const pass = verb({
  words: "pass",
  about: "Hand over your turn with a summary; reviewers declare findings or none",
  access: "agent",
  example:
    "pairflow pass --summary \"Totals are rounded once\" --finding 'P1:Discount ignored @ src/cart.ts:41'",
  flags: {
    summary: { kind: "text", value: '"<text>"', about: "what you did, or what you found" },
    ref: { kind: "list", value: "<path>", about: "a file this message points to" },
    intent: {
      kind: "text",
      about: "what the handoff is for; taken from your role if left out",
      oneOf: ["task", "review", "fix_request"],
    },
    ...reviewFlags,
    dispute: {
      kind: "list",
      value: "ID:reason",
      about: "implementer: object to a finding, with a reason that can be checked",
    },
    "no-change": { kind: "text", value: "<reason>", about: "implementer: nothing needs to change, and why" },
    checkpoint: {
      kind: "text",
      value: '"<name>"',
      about:
        "producer: a checkpoint is reached; where the workflow says so, the roles switch after this round",
    },
    score: { kind: "number", value: "0.0–1.0", about: "judge: how good this tree is" },
    paper: {
      kind: "text",
      value: "<json>|-",
      about: "author: the document that your turn hands in, as a file or on standard input (pairflow schema)",
    },
    ...packageFlags,
    ...speakerFlags,
  },
  async run(shell, { flags }) {
    const marks = marksOf(flags);
    const paper = paperOf(flags.paper, shell.cwd);
    const speech = speakerFrom(flags, shell.cwd, shell.env);
    const disputes = flags.dispute.map((text) => said(parseDispute(text)));
    const pack = packageFrom(flags, shell.cwd);
    const handled = await claim(
      speech,
      {
        type: "pass",
        summary: summaryOf(flags),
        ...(flags.intent ? { intent: flags.intent as "task" | "review" | "fix_request" } : {}),
        ...reviewOf(flags, shell.cwd),
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
    const { type, seq, text } = claimed(handled);
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
function marksOf({ checkpoint, score }: Marks): Marks {
  if (checkpoint !== undefined && (checkpoint.trim() === "" || checkpoint.trim().length > 200))
    throw usage(
      "usage.bad-checkpoint",
      "--checkpoint needs a name of at most 200 characters",
      '--checkpoint "schema agreed"',
    );
  if (score !== undefined && !(score >= 0 && score <= 1))
    throw usage("usage.bad-score", `--score ${score} is not from 0 to 1`, "--score 0.9");
  return {
    ...(checkpoint === undefined ? {} : { checkpoint: checkpoint.trim() }),
    ...(score === undefined ? {} : { score }),
  };
}

const partFlags = {
  what: "what",
  why: "why",
  risks: "risks",
  "test-plan": "test_plan",
  "commit-message": "commit_message",
};

/** The package from flags, or from a JSON file with the same five words. */
function packageFrom(flags: { [key: string]: unknown }, cwd: string): Record<string, string> | undefined {
  const file = flags["package-file"];
  const parts = typeof file === "string" ? packageFile(file, cwd) : {};
  for (const [flag, part] of Object.entries(partFlags)) {
    const value = flags[flag];
    if (typeof value === "string") parts[part] = value;
  }
  return Object.keys(parts).length > 0 ? parts : undefined;
}

function packageFile(file: string, cwd: string): Record<string, string> {
  const words = Object.values(partFlags);
  const bad = (what: string) =>
    usage("pass.bad-package-file", `${file}: ${what}`, `a JSON object with ${words.join(", ")}`);
  let read: unknown;
  try {
    read = parseJson(readFileSync(resolve(cwd, file), "utf8"));
  } catch (error) {
    throw bad((error as Error).message);
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw bad("not an object");
  for (const [key, value] of Object.entries(read)) {
    if (!words.includes(key) || typeof value !== "string")
      throw bad(`${key} is not a text part of the package`);
  }
  return { ...(read as Record<string, string>) };
}
