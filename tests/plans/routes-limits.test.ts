// Routes have budgets: what comes back for the third time, a critic that is never content, and parts of parts that are too
// big all end at a human with what is known, and each answer leads on.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { generateSiblingIds } from "../../src/app/making/names.ts";
import { id, type Scene } from "../scenarios/scene.ts";
import {
  amendments,
  answers,
  asked,
  bothCriteria,
  executes,
  first,
  holds,
  parts,
  patience,
  planned,
  refined,
  refinementObjected,
  refinementPasses,
  reports,
  right,
  runsAlone,
  sentBack,
  signs,
  splitPasses,
  turnsOf,
  waits,
  wrong,
} from "./routes-scene.ts";
import { builds, hands, task, verdict } from "./scene.ts";

const child = `${id}-t1`;
const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

/** The bubble that is started by another one; long names are cut. */
function startedBy(bubble: string, workflow: string): string {
  const { value } = generateSiblingIds(`${bubble}-${workflow}`, { sha256 }).next();
  return value ?? "";
}

/** Refined twice, and sent back for the third time. */
function thrice() {
  // All of them are named after the bubble that the task began in: no name grows on the way.
  const [first = "", second = "", third = ""] = generateSiblingIds(`${child}-plan-refinement`, { sha256 });
  const [once = "", twice = "", last = ""] = generateSiblingIds(`${child}-plan-and-execute`, { sha256 });
  return { first, once, second, twice, third, last };
}

const cut = (how: string, bubble: string) =>
  hands(refined({ task: { ...refined().task, description: `Tell the total, ${how}` } }), { bubble });

const names = thrice();
const coming = () => ({
  planner: [
    cut("cut anew", names.first),
    cut("cut once more", names.second),
    cut("cut for the last time", names.third),
  ],
  critic: [names.first, names.second, names.third].map((bubble) => refinementPasses(bubble)),
  dev: [
    ...[child, names.once, names.twice].map((bubble) => wrong(bubble)),
    right(names.last),
    builds({ "src/rate.txt": "the rate: 7\n" }, { bubble: `${id}-t2` }),
  ],
  rev: [
    sentBack(child, "misscoped"),
    sentBack(names.once, "misscoped"),
    sentBack(names.twice, "misscoped", "it still tells no rate"),
    holds(names.last),
    verdict({ file: "src/rate.txt", quote: "the rate: 7" }, { bubble: `${id}-t2` }),
    verdict(
      {
        file: "src/rate.txt",
        quote: "the rate: 7",
        ...bothCriteria,
      },
      { bubble: id },
    ),
  ],
});

/** A second task beside it comes to its end. */
const other = task("t2", "Write the rate down in src/rate.txt", ["src/rate.txt"]);

async function untilAsked(scene: Scene): Promise<void> {
  const done = await executes(scene, [first, other]);
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect((await scene.tool.status(names.third)).state).toBe("WAITING_HUMAN");
}

describe("a task that comes back for the third time", { timeout: patience }, () => {
  it("asks a human with the reviewer's words; continued, it is cut anew and comes to its end", async () => {
    const { rev, ...agents } = coming();
    const scene = planned({ ...agents, rev: [...rev.slice(0, -1), bothHold(id)] });
    await untilAsked(scene);
    const question = asked(scene, names.third);
    expect(question.question).toContain("totals.t1 comes back for the third time");
    expect(question.question).toContain("it still tells no rate");
    expect(question.question).toContain("- The plan with its amendments: pairflow plan show totals");
    expect(question.question).toContain(`- ${child} → plan-refinement: `);
    expect(question.question).toContain(`- ${names.first} → plan-and-execute: amended: `);
    expect(question.question).toContain(`- ${names.twice} → plan-refinement: it still tells no rate`);
    expect(turnsOf(scene, names.third)).toEqual([]);
    expect(amendments(scene).map(({ bubble }) => bubble)).toEqual([names.first, names.second]);
    // What was rejected is not here: there is nothing that could be accepted.
    await expect(answers(scene, names.third, "accept", "as it is")).rejects.toThrow("reply.unknown-choice");
    await answers(scene, names.third, "continue", "write a number");
    await waits(scene, id, "READY_FOR_APPROVAL");
    expect(amendments(scene).map(({ bubble }) => bubble)).toEqual([names.first, names.second, names.third]);
    expect(reports(scene, id)).toContain(`t1 ${names.last} completed`);
    await signs(scene, id);
    expect(scene.committed("src/cart.txt")).toBe("total: 1.07\n");
  });

  it("is given up when a human says no, and its parent asks how to continue: with the others", async () => {
    const scene = planned(coming());
    await untilAsked(scene);
    await answers(scene, names.third, "reject", "not worth it");
    await waits(scene, names.third, "CANCELLED");
    await waits(scene, id, "WAITING_HUMAN");
    expect(asked(scene, id)).toMatchObject({
      kind: "child-failed",
      question: expect.stringContaining("t1 is cancelled"),
    });
    await answers(scene, id, "continue", "the rate alone is worth it");
    await waits(scene, id, "READY_FOR_APPROVAL");
    await signs(scene, id);
    expect(scene.committed("src/rate.txt")).toBe("the rate: 7\n");
    expect(scene.committed("src/cart.txt")).toBe("total: 1\n");
  });

  it("and given up with all that was planned", async () => {
    const scene = planned(coming());
    await untilAsked(scene);
    await answers(scene, names.third, "reject", "not worth it");
    await waits(scene, id, "WAITING_HUMAN");
    await answers(scene, id, "reject", "nothing of it");
    await waits(scene, id, "CANCELLED");
  });
});

const bothHold = (bubble: string) =>
  verdict(
    {
      file: "src/cart.txt",
      over: {
        checked: [
          {
            for: ["C1"],
            file: "src/cart.txt",
            line: 1,
            quote: "total: 1.07",
            why: "seven percent are in this number",
          },
          { for: ["C2"], file: "src/rate.txt", line: 1, quote: "the rate: 7", why: "the rate is there" },
        ],
      },
    },
    { bubble },
  );

describe("a refinement whose critic is never content", { timeout: patience }, () => {
  const refining = `${id}-plan-refinement`;
  const again = `${id}-plan-and-execute`;
  const never = (n: number) => hands(refined({ change: `The rate is in place ${n}` }), { bubble: refining });
  const still = { ...refinementObjected(refining) };
  const objections = [
    refinementObjected(refining),
    ...[1, 2].map(() => ({
      ...still,
      steps: [
        {
          review: {
            ...(still.steps[0]?.review as object),
            findings: [],
            prior_findings: [{ id: "F1", status: "open", reason: "it is still not said" }],
          },
        },
      ],
    })),
  ];

  const spent = async (more: { planner?: object[]; critic?: object[] } = {}) => {
    const scene = planned({
      planner: [never(1), never(2), never(3), ...(more.planner ?? [])],
      critic: [...objections, ...(more.critic ?? [])],
      dev: [wrong(id), right(again)],
      rev: [sentBack(id, "misscoped"), holds(again)],
    });
    expect(await runsAlone(scene)).toMatchObject({ code: 0 });
    await waits(scene, refining, "WAITING_HUMAN");
    return scene;
  };

  it("asks a human with what is open, and continues with what was accepted", async () => {
    const scene = await spent();
    expect(asked(scene, refining)).toMatchObject({
      kind: "exhausted",
      question: expect.stringContaining("F1"),
    });
    expect(amendments(scene)).toEqual([]);
    await answers(scene, refining, "accept", "the rate is well known");
    await waits(scene, again, "READY_FOR_APPROVAL");
    expect(amendments(scene)).toMatchObject([{ bubble: refining, change: "The rate is in place 3" }]);
  });

  it("has the rounds a human grants", async () => {
    const scene = await spent({
      planner: [hands(refined(), { bubble: refining })],
      critic: [refinementPasses(refining, [{ id: "F1", status: "fixed", reason: "it is said now" }])],
    });
    await answers(scene, refining, "continue", "say where the rate is");
    await waits(scene, again, "READY_FOR_APPROVAL");
    expect(turnsOf(scene, refining)).toHaveLength(8);
  });

  it("ends when a human says no", async () => {
    const scene = await spent();
    await answers(scene, refining, "reject", "leave it");
    await waits(scene, refining, "CANCELLED");
    expect(amendments(scene)).toEqual([]);
  });
});

describe("a part of a part that is too big", { timeout: patience }, () => {
  it("asks whether there shall be parts of parts of parts", async () => {
    const split = startedBy(child, "task-decomposition");
    const inner = startedBy(`${split}-total`, "task-decomposition");
    const smaller = {
      ...parts,
      tasks: parts.tasks.map((one) => ({ ...one, description: `A piece: ${one.description}` })),
    };
    const scene = planned({
      planner: [hands(lonely, { bubble: split }), hands(smaller, { bubble: inner })],
      critic: [splitPasses(split), splitPasses(inner)],
      dev: [
        wrong(child),
        wrong(`${split}-total`),
        builds({ "src/rate.txt": "the rate: 7\n" }, { bubble: `${split}-rate` }),
      ],
      rev: [
        sentBack(child, "too_big"),
        sentBack(`${split}-total`, "too_big"),
        verdict({ file: "src/rate.txt", quote: "the rate: 7" }, { bubble: `${split}-rate` }),
      ],
    });
    await executes(scene);
    await waits(scene, inner, "WAITING_HUMAN");
    expect(asked(scene, inner)).toMatchObject({ kind: "depth" });
    await answers(scene, inner, "reject", "deep enough");
    await waits(scene, inner, "CANCELLED");
    await waits(scene, split, "WAITING_HUMAN");
    expect(asked(scene, split).question).toContain("total is cancelled");
  });
});

const lonely = {
  ...parts,
  tasks: parts.tasks.filter(({ id: key }) => key !== "receipt").map((one) => ({ ...one, depends_on: [] })),
};
