// The turns of a document bubble with scripted agents: an author, and the two passes that attack what it wrote.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fullPackage } from "../acceptance/rig.ts";

const example = (name: string) =>
  readFileSync(join(import.meta.dirname, "..", "..", "examples", "documents", name), "utf8");

export const documentPath = "docs/cart.md";
/** Passes all four deterministic checks; the draft passes none. */
export const goodDocument = example("cart.md");
export const draftDocument = example("cart-draft.md");

export const buildWritingTurn = (text: string) => ({
  role: "implementer",
  steps: [{ write: { path: documentPath, text } }, { pass: { summary: "written", ...fullPackage } }],
});

const at = (question: string, line: number, why: string) => `for:${question} ${documentPath}:${line} ${why}`;

export const adversarial = {
  role: "reviewer",
  steps: [
    {
      pass: {
        summary: "attacked it",
        no_findings: true,
        checked: [
          at("contradictions", 21, "R2 keeps the larger amount, which AC2 repeats with the same figures"),
          at("edge-cases", 23, "the 101st line is refused and the message is given"),
          at("risks", 36, "two devices at once are named, and who wins is settled"),
        ],
      },
    },
  ],
};

const implementability = [
  at("outline", 8, "first the cart on the server, then the merge of line 9, then both clients"),
  at("blockers", 24, "how long a cart is kept is decided, which would have stopped the schema"),
];

export const dryRun = {
  role: "reviewer",
  steps: [{ converge: { summary: "can be built", checked: implementability } }],
};

/** Everything but the duty's own questions. */
export const buildTurnWithoutDuty = (claim: object) => ({
  role: "reviewer",
  steps: [{ pass: { summary: "looked", no_findings: true, ...claim } }],
});

export const documentTurns = {
  implementer: [buildWritingTurn(goodDocument), dryRun],
  reviewer: [adversarial],
};
