// A reviewer that only stamps cannot get a bubble to its approval: not in any dialect, not by flags, not by a file, not
// as the answer of a process, not in the second review. It is asked twice more, then a human is. An honest one can.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialects } from "../../src/core/model/review/verdict.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { type Rig, rig } from "../acceptance/rig.ts";
import { readArtifact } from "../helpers/operator.ts";
import { byCriterion } from "./answers.ts";
import {
  asFile,
  create,
  drive,
  refusals,
  reviewing,
  runAnswering,
  runBubble,
  speak,
  stubborn,
} from "./stamped.ts";
import { printedExample } from "./unproven.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const waits = { state: "WAITING_HUMAN" };
const ready = { state: "READY_FOR_APPROVAL" };
const limit = { timeout: 90_000 };

const lazy = { checked: [] };
const praise = { checked: byCriterion.map((entry) => ({ ...entry, why: "Looks good to me" })) };
const invented = {
  checked: byCriterion.map((entry, i) => ({ ...entry, quote: `assertRuleHolds(${i}, items, discount)` })),
};
const stale = { tree: "0123456789012345678901234567890123456789" };
/** Three bad answers each, so that together they are of every kind. */
const stamps = [
  [lazy, praise, invented],
  [stale, lazy, praise],
  [invented, stale, lazy],
  [praise, invented, stale],
  [lazy, invented, { words: "LGTM", ...praise }],
];
const confidence = 0.95;
const checked = byCriterion.map(({ for: [id], file, line, why }) => `${id} ${file}:${line} ${why}`);

describe.each(dialects.map((dialect, i) => [dialect, stamps[i] ?? []] as const))(
  "in the dialect %s",
  (dialect, answers) => {
    const [stamp, honest] = [`stamp-${dialect}`, `honest-${dialect}`];
    let ends: StatusView[];
    beforeAll(async () => {
      speak(tool, { dialect });
      const first = stubborn(...answers.map((change) => asFile(dialect, change)));
      await create(tool, stamp, { first });
      const second = reviewing({ converge: { summary: "Nothing is left to find", checked, confidence } });
      await create(tool, honest, { first: reviewing(asFile(dialect)), second });
      ends = await Promise.all([drive(tool, stamp), drive(tool, honest)]);
    }, 120_000);

    it("a reviewer that stamps is asked twice more, then a human is", () => {
      expect(ends[0]).toMatchObject(waits);
      const codes = refusals(tool, stamp);
      expect(codes).toHaveLength(3);
      for (const code of codes) expect(code).toMatch(/^review\.(evidence|stale-tree)$/);
      const asked = tool.log(stamp).findLast(({ type }) => type === "HUMAN_QUESTION");
      expect(asked?.payload).toMatchObject({ kind: "refused" });
    });

    it("an honest reviewer gets it to its approval, by a file and then by flags", () => {
      expect(ends[1]).toMatchObject(ready);
      expect(refusals(tool, honest)).toEqual([]);
    });
  },
);

describe("by flags", () => {
  it(
    "a bare --no-findings, then praise, then a line that is not there: a human is asked",
    limit,
    async () => {
      speak(tool, { dialect: "findings" });
      const pass = { summary: "LGTM", no_findings: true };
      const first = stubborn(
        { pass },
        { pass: { ...pass, checked: ["C1,C2,C3 src/cart.ts:1 looks good"] } },
        { pass: { ...pass, checked: ["C1,C2,C3 src/cart.ts:900 the discount comes before the tax"] } },
      );
      expect(await runBubble(tool, "flags", { first })).toMatchObject(waits);
      expect(refusals(tool, "flags")).toEqual(["review.evidence", "review.evidence", "review.evidence"]);
    },
  );

  it("the second reviewer cannot stamp either, by converged", limit, async () => {
    const converge = { summary: "All good" };
    const first = reviewing(asFile("findings"));
    const second = stubborn(
      { converge },
      { converge: { ...converge, checked: ["src/cart.ts:1 all good"] } },
      { converge: { ...converge, checked: ["C1 src/cart.ts:35 the net is discounted first"] } },
    );
    expect(await runBubble(tool, "second", { first, second })).toMatchObject(waits);
    expect(refusals(tool, "second")).toEqual(["review.evidence", "review.evidence", "review.evidence"]);
  });

  it(
    "a bare --no-findings is enough only where no evidence is asked for, and the package says so",
    limit,
    async () => {
      speak(tool, { require_evidence: false });
      const first = reviewing({ pass: { summary: "LGTM", no_findings: true } });
      const second = reviewing({ converge: { summary: "LGTM" } });
      expect(await runBubble(tool, "trusting", { first, second })).toMatchObject(ready);
      expect(readArtifact(tool, "trusting", "done-package.md")).toContain(
        "reviews need no evidence here (review.require_evidence = false)",
      );
    },
  );
});

describe("as the answer of a process", () => {
  it.each(["findings", "verdict"] as const)(
    "a stamp in the dialect %s never counts, and a human is asked",
    limit,
    async (dialect) => {
      speak(tool, { dialect });
      const id = `answer-${dialect}`;
      expect(await runAnswering(tool, id, asFile(dialect, lazy).review)).toMatchObject(waits);
      expect(tool.log(id).some(({ type, payload }) => type === "PASS" && "findings" in payload)).toBe(false);
    },
  );

  it("an honest one counts", limit, async () => {
    speak(tool, { dialect: "decision" });
    expect(await runAnswering(tool, "answer-honest", asFile("decision").review)).toMatchObject(ready);
  });
});

describe("as a specification prints it", () => {
  it("approved with a violated SOP is refused each time, and a human is asked", limit, async () => {
    speak(tool, { dialect: "verdict" });
    for (const slug of ["error-handling", "test-coverage"])
      tool.write(`.pairflow/sops/${slug}.md`, `---\napplies_to: ["*.ts"]\n---\n# ${slug}\n\nKeep to it.\n`);
    tool.git("add", "-f", ".pairflow/sops");
    tool.git("commit", "-q", "-m", "SOPs");
    const printed = printedExample("source.doc.sops.error-handling", "source.doc.sops.test-coverage");
    const first = stubborn(
      { review: printed },
      { review: { ...printed, tree: "{{tree}}" } },
      { review: { ...printed, tree: "{{tree}}", checked: byCriterion } },
    );
    expect(await runBubble(tool, "printed", { first })).toMatchObject(waits);
    expect(refusals(tool, "printed")).toEqual([
      "review.stale-tree",
      "review.contradiction",
      "review.contradiction",
    ]);
  });
});
