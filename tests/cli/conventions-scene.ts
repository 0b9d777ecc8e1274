// Bubbles whose critics notice a habit, taken to their commit by the built command and agents that are processes.
import { expect } from "vitest";
import { createScripted, fullPackage, type Rig } from "../acceptance/rig.ts";
import { grant } from "../helpers/operator.ts";

export const cents = {
  name: "Totals in cents",
  pattern: "Amounts are whole numbers of cents",
  applies_to: "src/**",
};

export const plain = {
  name: "Plain text carts",
  pattern: "A cart is one line of text",
  applies_to: "src/*.txt",
};

const looked = "src/cart.txt:1 says the total that the task asks for";
/** The producer's turn, and the review it owes after the roles were swapped. */
export const implementer = [
  {
    role: "implementer",
    steps: [
      { write: { path: "src/cart.txt", text: "total: 2\n" } },
      { pass: { summary: "done", ...fullPackage } },
    ],
  },
  { role: "reviewer", steps: [{ converge: { summary: "nothing found", checked: [looked] } }] },
];

/** A clean review of the cart that names these habits. */
export const notices = (...patterns: object[]) => ({
  role: "reviewer",
  steps: [
    {
      review: {
        tree: "{{tree}}",
        summary: "nothing found",
        findings: [],
        checked: [{ file: "src/cart.txt", line: 1, why: "says the total that the task asks for" }],
        patterns,
      },
    },
  ],
});

/** A bubble of the pair workflow up to its approval; its tests always pass, so that bubbles may be alike. */
export async function reviewed(tool: Rig, id: string, ...patterns: object[]): Promise<void> {
  await createScripted(tool, id, { implementer, reviewer: [notices(...patterns)] });
  await tool.ok("bubble", "start", "--id", id, "--headless");
  expect(await tool.status(id)).toMatchObject({ state: "READY_FOR_APPROVAL" });
}

/** Signed and committed by the operator. */
export async function signs(tool: Rig, id: string): Promise<void> {
  expect(await grant(tool, "bubble", "approve", "--id", id, "--yes")).toMatchObject({ code: 0 });
  expect(await grant(tool, "bubble", "commit", "--id", id)).toMatchObject({ code: 0 });
}

export async function committed(tool: Rig, id: string, ...patterns: object[]): Promise<void> {
  await reviewed(tool, id, ...patterns);
  await signs(tool, id);
}

export interface Listed {
  readonly name: string;
  readonly status: string;
  readonly evidence: readonly { readonly bubble: string; readonly agent: string }[];
}

export async function listed(tool: Rig): Promise<Listed[]> {
  return JSON.parse(await tool.ok("conventions", "list", "--all", "--json")).conventions;
}
