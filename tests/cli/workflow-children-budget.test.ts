// A budget of a whole run: tasks side by side use it up together, a person is asked once, and all continue after the answer.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { InboxItem } from "../../src/core/views/bubble/inbox.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import { quality_checks } from "../helpers/quality.ts";
import { linesOf } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(async () => {
  for (const tool of rigs) await tool.close();
});

const workflow = `
id: side-by-side
max_concurrent: 2
join: { agent: cid, reviewer: rex }
tasks:
  cart: { agent: ann, title: Cart, prompt: Write cart.txt }
  shop: { agent: ben, title: Shop, prompt: Write shop.txt }
`;

/** At the first attempt it would take longer than anybody may. */
const slowly = (path: string) => ({
  steps: [
    { wait: "100s", once: true },
    { write: { path, text: "new\n" } },
    { pass: { summary: "done", ...fullPackage } },
  ],
});
const goes = {
  steps: [
    {
      review: {
        ...{
          decision: "GO",
          quality_checks,
          feedback: "both belong together",
          tree: "{{tree}}",
          findings: [],
        },
        checked: [{ file: "cart.txt", line: 1, why: "it is there" }],
      },
    },
  ],
};

/** A bubble `all` of the workflow with a fifth of a minute to work. */
async function parent(): Promise<Rig> {
  const tool = rig({ files: { "list.txt": "one\n" } });
  rigs.push(tool);
  writeFileSync(join(tool.folder, "work.yaml"), workflow);
  const scripts = { ann: [slowly("cart.txt")], ben: [slowly("shop.txt")], cid: [goes], rex: [goes] };
  await tool.ok(
    ...["bubble", "create", "--id", "all", "--task", "Write both", "--test", "test -s list.txt"],
    ...["--workflow", join(tool.folder, "work.yaml"), "--max-minutes", "0.2"],
    ...Object.keys(scripts).flatMap((name) => ["--agent", `${name}=${name}`]),
  );
  const toml = join(tool.repo, ".pairflow", "bubbles", "all", "bubble.toml");
  const agents = Object.entries(scripts).map(
    ([name, turns]) =>
      `\n[agent.${name}]\nadapter = "scripted"\nscript = ${JSON.stringify(tool.script(name, turns))}\n`,
  );
  const text = readFileSync(toml, "utf8");
  writeFileSync(toml, text.replace("require_evidence = true", "require_evidence = false") + agents.join(""));
  return tool;
}

const rests = ({ state }: StatusView) => state === "READY_FOR_APPROVAL" || state === "WAITING_HUMAN";

it("is used up by all children together: they stop, one question is asked, and they continue", async () => {
  const tool = await parent();
  await tool.ok("bubble", "start", "--id", "all", "--headless");
  const asked = await tool.until("all", rests, "a human is asked", 60_000);
  expect(asked.state).toBe("WAITING_HUMAN");
  for (const child of ["all-cart", "all-shop"]) {
    const isEnded = () => linesOf(tool.log(child), "TURN_ENDED").length > 0;
    await expect.poll(isEnded, { timeout: 20_000 }).toBe(true);
    const log = tool.log(child);
    expect(linesOf(log, "BUBBLE_CREATED")[0]?.payload.config.budget).toEqual({});
    expect(linesOf(log, "TURN_STARTED")).toHaveLength(1);
    expect(linesOf(log, "TURN_ENDED")[0]?.payload).toMatchObject({ outcome: "over-budget" });
    expect(linesOf(log, "TURN_ENDED")[0]?.payload.detail).toContain("the budget of all is used up");
  }
  const items: InboxItem[] = JSON.parse(await tool.ok("inbox", "--json")).items;
  expect(items.map(({ bubble, kind }) => [bubble, kind])).toEqual([["all", "budget"]]);
  expect(asked.questions[0]?.text).toContain("The budget of all and its children is used up: 0.2");

  await tool.ok("bubble", "reply", "--id", "all", "--choose", "continue", "--operator-key", tool.key);
  const done = await tool.until("all", rests, "it asks for approval", 90_000);
  expect(done.state).toBe("READY_FOR_APPROVAL");
  const parts = linesOf(tool.log("all"), "CHILD_REPORTED").map(({ payload }) => payload.minutes ?? 0);
  expect(parts).toHaveLength(2);
  expect(done.usage.minutes).toBeGreaterThanOrEqual(0.2);
  expect(done.usage.budgets).toMatchObject([
    { name: "max_tokens", limit: 10_000_000 },
    { name: "max_minutes", limit: 0.4 },
  ]);
}, 180_000);
