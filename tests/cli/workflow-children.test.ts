// Tasks side by side: each in a bubble of its own, merged back into the parent, judged once together.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import { quality_checks } from "../helpers/quality.ts";

const rigs: Rig[] = [];
afterAll(async () => {
  for (const tool of rigs) await tool.close();
});

const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

const workflow = `
id: side-by-side
max_concurrent: 2
join: { agent: cid, reviewer: rex }
tasks:
  cart: { agent: ann, title: Cart, prompt: Change the first line }
  shop: { agent: ben, title: Shop, prompt: Change the last line }
`;

const does = (...steps: object[]) => ({ steps: [...steps, { pass: { summary: "done", ...fullPackage } }] });
const changes = (find: string, to: string) => ({ replace: { path: "list.txt", find, with: to } });
const goes = {
  steps: [
    {
      review: {
        decision: "GO",
        quality_checks,
        feedback: "both belong together",
        tree: "{{tree}}",
        findings: [],
        checked: [{ file: "list.txt", line: 1, why: "the list holds both changes" }],
      },
    },
  ],
};

type Scripts = Readonly<Record<string, readonly object[]>>;

/** A repository with the workflow, and a bubble `all` of it whose agents follow these scripts. */
async function parent(scripts: Scripts, ...flags: string[]): Promise<Rig> {
  const tool = rig({ files: { "list.txt": base } });
  rigs.push(tool);
  tool.write(".pairflow/config.yaml", "defaults: { review: { require_evidence: false } }\n");
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "-m", "configure");
  writeFileSync(join(tool.folder, "work.yaml"), workflow);
  const all = { cid: [does()], rex: [goes], ...scripts };
  const names = Object.keys(all);
  await tool.ok(
    ...["bubble", "create", "--id", "all", "--task", "Change both ends of list.txt"],
    ...["--workflow", join(tool.folder, "work.yaml"), "--test", "test -s list.txt"],
    ...names.flatMap((name) => ["--agent", `${name}=${name}`]),
    ...flags,
  );
  const toml = join(tool.repo, ".pairflow", "bubbles", "all", "bubble.toml");
  const agents = names.map(
    (name) =>
      `\n[agent.${name}]\nadapter = "scripted"\nscript = ${JSON.stringify(tool.script(name, all[name as keyof typeof all]))}\n`,
  );
  writeFileSync(toml, readFileSync(toml, "utf8") + agents.join(""));
  return tool;
}

const types = (tool: Rig, id: string) => tool.log(id).map(({ type }) => type);

const working = ({ active_agent }: { active_agent?: string | null }) => Boolean(active_agent);

async function childrenStart(tool: Rig): Promise<void> {
  const started = () => types(tool, "all").filter((type) => type === "CHILD_STARTED");
  await expect.poll(() => started().length, { timeout: 20_000 }).toBe(2);
}

/** The parent's state; the whole story when it is another one. */
async function reaches(tool: Rig, state: string): Promise<void> {
  const status = await tool.status("all");
  const story = status.state === state ? "" : await tool.ok("log", "--id", "all", "--all");
  expect(status.state, story).toBe(state);
}

describe.each(["worktree", "clone"])("two tasks side by side in a %s", (mode) => {
  it("are worked on at once, merged in the order of the tasks, and judged once together", async () => {
    const tool = await parent(
      {
        ann: [does({ wait: "1s" }, changes("one", "ONE"))],
        ben: [does({ wait: "1s" }, changes("seven", "SEVEN"))],
      },
      "--mode",
      mode,
    );
    await tool.ok("bubble", "start", "--id", "all", "--headless");
    await reaches(tool, "READY_FOR_APPROVAL");
    const log = tool.log("all");
    expect(log.find(({ type }) => type === "JOINED")?.payload).toMatchObject({
      children: ["cart", "shop"],
      conflicts: [],
      files: [{ path: "list.txt", status: "modified", added: 2, removed: 2 }],
    });
    expect(readFileSync(join(tool.worktree("all"), "list.txt"), "utf8")).toBe(
      base.replace("one", "ONE").replace("seven", "SEVEN"),
    );
    // Side by side: both had begun before either was back.
    const order = types(tool, "all").filter((type) => type.startsWith("CHILD_"));
    expect(order.slice(0, 2)).toEqual(["CHILD_STARTED", "CHILD_STARTED"]);
    for (const child of ["all-cart", "all-shop"]) {
      const made = tool.log(child)[0]?.payload as { parent: object; base_commit: string };
      expect(made.parent).toEqual({ bubble: "all", key: child.slice(4), depth: 1 });
      expect(made.base_commit).toBe(tool.git("rev-parse", "main").trim());
      expect((await tool.status(child)).state).toBe("DONE");
      await tool.ok("verify", "--id", child);
    }
    // Once on the base before the children begin, once together in the worktree, and on a clean checkout of what is signed.
    expect(types(tool, "all").filter((type) => type === "GATES_RESULT")).toHaveLength(3);
    expect(types(tool, "all").indexOf("GATES_RESULT")).toBeLessThan(
      types(tool, "all").indexOf("CHILD_STARTED"),
    );
    await tool.ok("verify", "--id", "all");
    // What a child reported rests on its record: damage there is said by whoever looks at the parent.
    const record = tool.transcript("all-cart");
    writeFileSync(record, readFileSync(record, "utf8").split("\n").toSpliced(8, 1).join("\n"));
    expect((await tool.run("bubble", "status", "--id", "all")).stderr).toContain("all-cart is damaged");
    expect((await tool.status("all")) as object).toMatchObject({
      children_trouble: [{ bubble: "all-cart" }],
    });
    const verified = await tool.run("verify", "--id", "all");
    expect(verified).toMatchObject({ code: 1, stderr: expect.stringContaining("the record of all-cart is") });
  });
});

describe("tasks side by side that do not go together", () => {
  it("ask a human, and a turn of the integrator settles the conflict", async () => {
    const tool = await parent({
      ann: [does(changes("four", "CART"))],
      ben: [does(changes("four", "SHOP"))],
      cid: [does({ write: { path: "list.txt", text: "CART and SHOP\n" } })],
    });
    await tool.ok("bubble", "start", "--id", "all", "--headless");
    await reaches(tool, "WAITING_HUMAN");
    const text = readFileSync(join(tool.worktree("all"), "list.txt"), "utf8");
    expect(text).toMatch(/<<<<<<< .*\nCART\n=======\nSHOP\n>>>>>>> pairflow\/all\/join-\d+\.2-shop\n/);
    await tool.ok("bubble", "reply", "--id", "all", "--choose", "turn", "--operator-key", tool.key);
    await tool.until("all", ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for");
    expect(readFileSync(join(tool.worktree("all"), "list.txt"), "utf8")).toBe("CART and SHOP\n");
  });
});

describe("a child that needs a human", () => {
  const asking = {
    ann: [does(changes("one", "ONE"))],
    ben: [{ steps: [{ ask: "Which end?" }, changes("seven", "SEVEN"), ...does().steps] }],
  };

  it("lets its parent's driver leave, and brings one back with its report", async () => {
    const tool = await parent(asking);
    await tool.ok("bubble", "start", "--id", "all", "--headless");
    await reaches(tool, "RUNNING");
    expect((await tool.status("all-shop")).state).toBe("WAITING_HUMAN");
    const { next } = await tool.until("all", ({ driver }) => !driver.alive, "the driver leaves");
    // Not a driver is missing, but an answer: what is shown leads to that.
    expect(next.says).toBe("all-shop asks: a human must answer");
    expect(next.command).toMatch(/^pairflow bubble reply --id all-shop /);
    expect((await tool.status("all")).child_questions).toMatchObject([
      { bubble: "all-shop", from: "ben", text: "Which end?", command: next.command },
    ]);
    expect(await tool.ok("bubble", "status", "--id", "all")).toMatch(
      /asks +ben in all-shop, .*"Which end\?"/,
    );
    expect(await tool.ok("bubble", "list")).toMatch(/^all +RUNNING .*waits for all-shop/m);
    expect(await tool.ok("doctor")).not.toContain("its driver is gone");
    await tool.ok("bubble", "reply", "--id", "all-shop", "--message", "the last", "--operator-key", tool.key);
    await tool.until("all", ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for");
    expect(readFileSync(join(tool.worktree("all"), "list.txt"), "utf8")).toContain("SEVEN");
  });

  it("that is stopped is missed by its parent, which asks before it continues without it", async () => {
    const tool = await parent(asking);
    await tool.ok("bubble", "start", "--id", "all", "--headless", "--detach");
    await childrenStart(tool);
    await tool.until("all-shop", ({ state }) => state === "WAITING_HUMAN", "the child asks");
    await tool.ok("bubble", "stop", "--id", "all-shop", "--reason", "not needed");
    await tool.until("all", ({ state }) => state === "WAITING_HUMAN", "the parent asks");
    await tool.ok("bubble", "reply", "--id", "all", "--choose", "continue", "--operator-key", tool.key);
    await tool.until("all", ({ state }) => state !== "RUNNING" && state !== "WAITING_HUMAN", "it continues");
    const joined = tool.log("all").find(({ type }) => type === "JOINED");
    expect(joined?.payload).toMatchObject({ children: ["cart"] });
  });
});

describe("a parent that is stopped", () => {
  it("takes its children with it", async () => {
    const tool = await parent({ ann: [{ steps: [{ hang: true }] }], ben: [{ steps: [{ hang: true }] }] });
    await tool.ok("bubble", "start", "--id", "all", "--headless", "--detach");
    await childrenStart(tool);
    await tool.until("all-cart", working, "ann works");
    await tool.ok("bubble", "stop", "--id", "all");
    for (const id of ["all", "all-cart", "all-shop"]) expect((await tool.status(id)).state).toBe("CANCELLED");
  });
});

describe("drivers that die", () => {
  it("are followed by others, and no child is made twice", async () => {
    const tool = await parent({
      ann: [does({ wait: "3s" }, changes("one", "ONE"))],
      ben: [does({ wait: "3s" }, changes("seven", "SEVEN"))],
    });
    await tool.ok("bubble", "start", "--id", "all", "--headless", "--detach");
    await childrenStart(tool);
    await tool.until("all-cart", working, "ann works");
    await tool.until("all-shop", working, "ben works");
    const claimed = (id: string) =>
      tool.log(id).flatMap((line) => (line.type === "DRIVER_CLAIMED" ? [line.payload.pid] : []));
    for (const id of ["all", "all-shop"]) {
      const pid = claimed(id).at(-1);
      expect(pid, `${id} has a driver`).toBeGreaterThan(1);
      process.kill(Number(pid), "SIGKILL");
    }
    await tool.ok("bubble", "resume", "--id", "all");
    await tool.until("all", ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for", 40_000);
    expect(claimed("all-shop").length).toBeGreaterThan(1);
    expect(types(tool, "all").filter((type) => type === "CHILD_STARTED")).toHaveLength(2);
    expect(types(tool, "all-cart").filter((type) => type === "TURN_STARTED")).toHaveLength(1);
  });
});
