// Twenty bubbles, one of them a plan with five children, are finished by two workers in processes and clones of their own.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Rig, shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { slug } from "../plans/execute-scene.ts";
import { builds, plan, task, verdict } from "../plans/scene.ts";
import { type Fleet, openFleet, until } from "./fleet.ts";

const children = [1, 2, 3, 4, 5].map((n) => `t${n}`);
const singles = Array.from({ length: 14 }, (_, i) => `fix-${i + 1}`);
const fileOf = (key: string) => `src/${key}.txt`;
const lineOf = (key: string) => `this is ${key}`;
const idle = [{ steps: [{ crash: 3 }] }];
const roles = {
  planner: "planner",
  "plan-reviewer": "planner",
  developer: "dev",
  reviewer: "rev",
  integrator: "dev",
};
const whole = {
  checked: ["t1", "t2"].map((key, i) => ({
    ...{
      for: [`C${i + 1}`],
      file: fileOf(key),
      line: 1,
      quote: lineOf(key),
      why: "the line the plan asks for",
    },
  })),
};

describe.skipIf(natsMissing)(`two workers${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await openFleet({
      agents: {
        ...{ codex: shortest.implementer, claude: shortest.reviewer, planner: idle },
        dev: children.map((key) => builds({ [fileOf(key)]: `${lineOf(key)}\n` }, { bubble: `*-${key}` })),
        rev: [
          ...children.map((key) =>
            verdict({ file: fileOf(key), quote: lineOf(key), criteria: ["C1"] }, { bubble: `*-${key}` }),
          ),
          verdict({ file: fileOf("t1"), over: whole }),
        ],
      },
      defaults: { agents: roles, notifications: { enabled: false } },
      leaseSeconds: 4,
    });
  });
  afterAll(() => fleet.close());

  test("finish twenty bubbles with children and a plan; nothing is done twice", {
    timeout: 400_000,
  }, async () => {
    const [a, b] = fleet.hosts as [Rig, Rig];
    await makeSingles(a);
    await makePlan(a);
    const workers = [fleet.worker(a, "--concurrency", "2"), fleet.worker(b, "--concurrency", "2")];
    const parents = [...singles, slug];
    for (const id of parents)
      await until(a, id, ({ state }) => state === "READY_FOR_APPROVAL", 300_000).catch((error) => {
        throw new Error(`${error}\n${workers.map((worker) => worker.said()).join("\n---\n")}`);
      });
    // Both have worked.
    for (const worker of workers) expect(worker.said()).toMatch(/taken/);

    for (const id of [slug, "fix-1"]) {
      await a.ok("bubble", "approve", "--id", id, "--yes", "--operator-key", a.key);
      await a.ok("bubble", "commit", "--id", id, "--operator-key", a.key);
    }
    for (const child of children)
      expect(a.git("show", `bubble/${slug}:${fileOf(child)}`)).toBe(`${lineOf(child)}\n`);
    expect(a.git("show", "bubble/fix-1:src/cart.txt")).toBe("total: 2\n");
    // Every record is good on the other machine too, and each turn was paid once.
    expect(await b.ok("verify")).not.toContain("broken");
    const all = [...parents, ...children.map((child) => `${slug}-${child}`)];
    expect(all).toHaveLength(20);
    for (const id of all) {
      const lines = (await b.ok("log", "--id", id, "--type", "TURN_STARTED", "--json")).trim().split("\n");
      const turns = lines.map((line) => (JSON.parse(line) as { payload: { turn: string } }).payload.turn);
      expect(turns.length, id).toBeGreaterThan(0);
      expect(new Set(turns).size, id).toBe(turns.length);
    }
    for (const worker of workers) await worker.kill("SIGTERM");
  });
});

async function makeSingles(host: Rig): Promise<void> {
  const agents = ["--agent", "implementer=codex", "--agent", "reviewer=claude", "--base-gates", "off"];
  for (const id of singles) {
    await host.ok(
      "bubble",
      "create",
      "--id",
      id,
      "--task",
      `Fix ${id}`,
      "--test",
      "true",
      "--yes",
      ...agents,
    );
    await host.ok("bubble", "start", "--id", id, "--yes");
  }
}

async function makePlan(host: Rig): Promise<void> {
  const { title, situation, mission, execution, coordination } = plan();
  const parts = Object.entries({ situation, mission, execution, coordination });
  const said = parts.flatMap(([part, text]) => [`--${part}`, text]);
  await host.ok("plan", title, "--slug", slug, "--in", "src/**", ...said);
  const list = children.map((key, i) =>
    task(key, `Write ${fileOf(key)}`, [fileOf(key)], { covers: i < 2 ? [`S${i + 1}`] : [] }),
  );
  host.write("own-tasks.json", JSON.stringify(list));
  await host.ok("tasks", slug, "--file", "own-tasks.json", "--yes");
  await host.ok(
    "execute",
    slug,
    "--test",
    "true",
    "--parallel",
    "3",
    "--base-gates",
    "off",
    "--yes",
    "--detach",
  );
}
