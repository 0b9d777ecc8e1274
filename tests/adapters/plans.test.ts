// Every keeper of plans against the one contract; and as files, which people edit by hand.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFilePlans, type PlanFiles } from "../../src/adapters/plans/files.ts";
import { planReader } from "../../src/app/files/plan.ts";
import type { Refusal } from "../../src/core/model/refusal.ts";
import {
  buildPlansContract,
  committedPlan,
  type PlansRig,
  scratchPlan,
} from "../../src/testing/contracts/plans.ts";
import { createMemoryPlans } from "../memory/plans.ts";
import { locksIn, scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

const plansIn = (root: string, dieAt = 0) => {
  let writes = 0;
  return createFilePlans({
    root,
    reader: planReader,
    locks: locksIn(root),
    crashPoint: () => {
      writes += 1;
      if (writes === dieAt) throw new Error("killed");
    },
  });
};

async function inFiles(): Promise<PlansRig> {
  const { root, remove } = scratch();
  return {
    plans: plansIn(root),
    again: () => plansIn(root),
    dying: (write) => plansIn(root, write),
    close: async () => remove(),
  };
}

async function inMemory(): Promise<PlansRig> {
  const plans = createMemoryPlans();
  return { plans, again: () => plans, close: async () => {} };
}

runContract("plans as files", buildPlansContract(inFiles));
const because = "one process, and no write can be cut off";
runContract(
  "plans in memory",
  buildPlansContract(inMemory, {
    exceptions: [
      { promise: "1", scenario: "a process dies at any write of a first save", because },
      { promise: "1", scenario: "a process dies at any write of a commit", because },
    ],
  }),
);

test("who reads waits for who writes: what looks like the trace of a crash may be a save under way", async () => {
  const { root, remove } = scratch();
  const before = scratchPlan;
  await plansIn(root).save(before);
  const after = { ...before, mission: "Another mission" };
  await expect(plansIn(root, 2).save(after)).rejects.toThrow("killed");
  const newer = { ...before, mission: "The newest mission" };
  const locks = {
    async take(name: string) {
      if (name !== `plan-${before.slug}`) throw new Error(`the lock of ${name}`);
      await plansIn(root).save(newer);
      return () => {};
    },
  };
  const reading = createFilePlans({ root, reader: planReader, locks });
  expect((await reading.read(before.slug))?.mission).toBe(newer.mission);
  expect((await plansIn(root).read(before.slug))?.mission).toBe(newer.mission);
  expect(await reading.read("nobody-wrote-this")).toBeUndefined();
  remove();
});

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/plans.ts", import.meta.url), "utf8");
  const written = [...port.matchAll(/^\/\/ (\d)\. (.*)$/gm)].map(([, number, words]) => `${number} ${words}`);
  expect(written.length).toBe(4);
  expect(new Set(buildPlansContract(inFiles).map((one) => one.promise))).toEqual(new Set(written));
});

describe("as files", () => {
  let folder: ReturnType<typeof scratch>;
  let plans: PlanFiles;
  const slug = "add-discounts";
  const path = (name: string) => join(folder.root, ".pairflow/plans", slug, name);
  const text = (name: string) => readFileSync(path(name), "utf8");
  const json = () => JSON.parse(text("plan.json"));
  const change = (name: string, from: string, to: string) => {
    expect(text(name)).toContain(from);
    writeFileSync(path(name), text(name).replace(from, to));
  };
  const refused = async (call: Promise<unknown>): Promise<Refusal> =>
    call.then(
      () => expect.unreachable("nothing was refused"),
      (error: Refusal) => error,
    );
  beforeEach(() => {
    folder = scratch();
    plans = plansIn(folder.root);
  });
  afterEach(() => folder.remove());

  test("plan.json is the printed entity, in its order, and plan.md the template", async () => {
    await plans.save(scratchPlan);
    expect(Object.keys(json())).toEqual(
      "id slug title committed situation mission execution constraints coordination created_at".split(" "),
    );
    expect(text("plan.json")).toBe(`${JSON.stringify(json(), null, 2)}\n`);
    expect(text("plan.md")).toMatch(/^# Plan: Add discounts\n\n## Situation\n/);
    expect(text("plan.md")).toContain("<!-- Dependencies, sequencing, entity references. -->");
    await plans.save(committedPlan);
    expect(Object.keys(json()).at(-1)).toBe("committed_at");
    expect(text("plan.md")).not.toContain("<!--");
    expect(readdirSync(path(".")).sort()).toEqual([".in-step.json", "plan.json", "plan.md"]);
  });

  test("an edit of plan.md is taken over into plan.json; the file stays as it was written", async () => {
    await plans.save(scratchPlan);
    change("plan.md", "Customers get discounts.", "Regulars get discounts.\n<!-- a note to myself -->");
    const written = text("plan.md");
    expect((await plans.read(slug))?.mission).toBe("Regulars get discounts.");
    expect(json().mission).toBe("Regulars get discounts.");
    expect(text("plan.md")).toBe(written);
  });

  test("an edit of plan.json is taken over into plan.md", async () => {
    await plans.save(scratchPlan);
    change("plan.json", '"Add discounts"', '"Add rebates"');
    expect((await plans.read(slug))?.title).toBe("Add rebates");
    expect(text("plan.md")).toMatch(/^# Plan: Add rebates\n/);
  });

  test("the same edit in both is one edit; a file that is gone is made again", async () => {
    await plans.save(scratchPlan);
    change("plan.md", "Customers", "Regulars");
    change("plan.json", "Customers", "Regulars");
    expect((await plans.read(slug))?.mission).toBe("Regulars get discounts.");
    rmSync(path("plan.md"));
    await plans.read(slug);
    expect(text("plan.md")).toContain("Regulars get discounts.");
  });

  test("two different edits are refused until one of them is chosen", async () => {
    await plans.save(scratchPlan);
    change("plan.md", "Customers", "Regulars");
    change("plan.json", "Customers", "Friends");
    expect(await refused(plans.read(slug))).toMatchObject({
      code: "plan.two-edits",
      message: expect.stringContaining("mission"),
      hint: expect.stringContaining("pairflow plan edit add-discounts --use md"),
    });
    expect((await plans.take(slug, "md")).mission).toBe("Regulars get discounts.");
    expect(json().mission).toBe("Regulars get discounts.");
    change("plan.md", "Regulars", "Nobody");
    change("plan.json", "Regulars", "Friends");
    await plans.take(slug, "json");
    expect(text("plan.md")).toContain("Friends get discounts.");
    expect((await plans.read(slug))?.mission).toBe("Friends get discounts.");
  });

  test("who the plan is and whether it is frozen is not changed by hand", async () => {
    await plans.save(scratchPlan);
    change("plan.json", '"committed": false', '"committed": true');
    expect(await refused(plans.read(slug))).toMatchObject({
      code: "plan.fixed-field",
      message: expect.stringContaining("committed"),
    });
    expect(await plans.putBack(slug)).toEqual(scratchPlan);
    expect(await plans.read(slug)).toEqual(scratchPlan);
  });

  test.each([
    ["plan.md", "Customers", "Nobody", "changed in plan.md: mission"],
    ["plan.md", "## Mission", "## Missing", "plan.md cannot be read any more: "],
    ["plan.json", "Customers", "Nobody", "changed in plan.json: mission"],
    ["plan.json", '"committed": true', '"committed": false', "changed in plan.json: committed"],
    ["plan.json", "{", "", "plan.json cannot be read any more: "],
  ])(
    "a committed plan whose %s was changed (%s) is refused and can be put back",
    async (name, from, to, detail) => {
      await plans.save(committedPlan);
      change(name, from, to);
      const refusal = await refused(plans.read(slug));
      expect(refusal).toMatchObject({
        code: "plan.frozen",
        hint: "pairflow plan edit add-discounts --put-back",
      });
      expect(refusal.details?.[0]).toContain(detail);
      expect(refusal.details?.[1]).toContain("--supersede add-discounts");
      expect((await refused(plans.take(slug, "md"))).code).toBe("plan.frozen");
      expect(await plans.putBack(slug)).toEqual(committedPlan);
      expect(await plans.read(slug)).toEqual(committedPlan);
    },
  );

  test("a fresh clone has only what was committed to git: plan.json counts, plan.md must agree", async () => {
    await plans.save(committedPlan);
    rmSync(path(".in-step.json"));
    expect(await plans.read(slug)).toEqual(committedPlan);
    expect(existsSync(path(".in-step.json"))).toBe(true);
    rmSync(path(".in-step.json"));
    change("plan.md", "Customers", "Nobody");
    expect(await refused(plans.read(slug))).toMatchObject({ code: "plan.two-edits" });
    expect((await refused(plans.take(slug, "md"))).code).toBe("plan.frozen");
    expect(await plans.take(slug, "json")).toEqual(committedPlan);
    expect(text("plan.md")).toContain("Customers");
  });

  test("line ends that git changes are no edit; a note that git merged is as good as none", async () => {
    await plans.save(committedPlan);
    writeFileSync(path("plan.md"), text("plan.md").replaceAll("\n", "\r\n"));
    expect(await plans.read(slug)).toEqual(committedPlan);
    writeFileSync(path(".in-step.json"), "<<<<<<< ours\n");
    expect(await plans.read(slug)).toEqual(committedPlan);
  });

  test.each([
    [
      "plan.json",
      '"title": "Add discounts"',
      '"title": 5',
      /^\.pairflow\/plans\/add-discounts\/plan\.json:4:12: title must be text/,
    ],
    [
      "plan.json",
      '"mission"',
      '"misson"',
      /plan\.json:7:3: there is no key misson here|plan\.json: mission is missing/,
    ],
    ["plan.json", '"id"', '"id" x', /plan\.json:2:\d+: /],
    [
      "plan.md",
      "## Mission",
      "## Goal",
      /^\.pairflow\/plans\/add-discounts\/plan\.md:6:1: unknown section "Goal"/,
    ],
  ])("a bad %s is refused with its place (%s)", async (name, from, to, message) => {
    await plans.save(scratchPlan);
    change(name, from, to);
    const error = await refused(plans.read(slug));
    expect(error).toMatchObject({ usage: true, code: "plan.bad-file" });
    expect([error.message, ...(error.details ?? [])].join("\n")).toMatch(message);
  });

  test("bad tasks and amendments are refused with their place", async () => {
    await plans.save(scratchPlan);
    writeFileSync(path("tasks.json"), '{\n  "plan": "p",\n  "from": "dream",\n  "tasks": []\n}\n');
    const error = await refused(plans.readTasks(slug));
    expect([error.message, ...(error.details ?? [])].join("\n")).toMatch(/tasks\.json:3:11: from must be/);
    writeFileSync(path("amendments.json"), '[\n  {"bubble": 1}\n]\n');
    expect((await refused(plans.amendments(slug))).message).toMatch(/amendments\.json:2:/);
  });

  test("tasks that somebody changes after they were confirmed are confirmed no more", async () => {
    await plans.save(scratchPlan);
    const task = { id: "t1", description: "Do it", files: [], criteria: [], depends_on: [], covers: [] };
    const confirmed = {
      plan: "p",
      from: "planner",
      confirmed_at: "2026-01-01T00:00:00Z",
      tasks: [task],
    } as const;
    await plans.saveTasks(slug, { ...confirmed, tasks: [task] });
    expect((await plans.readTasks(slug))?.confirmed_at).toBe(confirmed.confirmed_at);
    change("tasks.json", "Do it", "Do something else");
    expect(await plans.readTasks(slug)).toEqual({
      plan: "p",
      from: "planner",
      tasks: [{ ...task, description: "Do something else" }],
    });
  });

  test("lists what is a plan, and takes no path for a name", async () => {
    await plans.save(scratchPlan);
    mkdirSync(join(folder.root, ".pairflow/plans/empty"));
    mkdirSync(join(folder.root, ".pairflow/plans/Not A Plan"));
    expect(await plans.list()).toEqual([slug]);
    expect((await refused(plans.read("../../etc"))).code).toBe("plan.bad-slug");
    expect((await refused(plans.putBack("nobody"))).code).toBe("plan.unknown");
    expect((await refused(plans.take("nobody", "md"))).code).toBe("plan.unknown");
  });

  test("a folder that was renamed is told", async () => {
    await plans.save(scratchPlan);
    rmSync(path(".in-step.json"));
    change("plan.json", '"slug": "add-discounts"', '"slug": "other"');
    expect(await refused(plans.read(slug))).toMatchObject({ code: "plan.wrong-folder" });
  });

  test("a folder that was copied with its note is told, and writes nothing into the first one", async () => {
    await plans.save(scratchPlan);
    const copy = join(folder.root, ".pairflow/plans/copy");
    cpSync(join(folder.root, ".pairflow/plans", slug), copy, { recursive: true });
    const file = join(copy, "plan.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("## Coordination\n", "## Coordination\nLater.\n"));
    expect(await refused(plans.read("copy"))).toMatchObject({ code: "plan.wrong-folder" });
    expect(await refused(plans.take("copy", "md"))).toMatchObject({ code: "plan.wrong-folder" });
    expect(await plans.read(slug)).toEqual(scratchPlan);
  });

  test("a disk that does not take it says what to look at", async () => {
    mkdirSync(join(folder.root, ".pairflow"), { recursive: true });
    writeFileSync(join(folder.root, ".pairflow/plans"), "a file");
    expect(await refused(plans.save(scratchPlan))).toMatchObject({ code: "plan.disk" });
  });
});
