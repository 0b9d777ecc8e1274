// Exploring on the real CLIs: a planner that may only read asks a person, continues in its session with the answer, and the
// paper it hands in fills the scratch plan.
import { describe, expect, test } from "vitest";
import { findPaperKind } from "../../src/core/paper/kinds.ts";
import type { Rig } from "../acceptance/rig.ts";
import { asksFor, handsIn } from "../models/papers.ts";
import { realRig } from "./bubble-rig.ts";
import { answers, clis, codex, runs, saying } from "./bubble-stage.ts";

const topic = "Discounts in the cart";
const slug = "discounts-in-the-cart";
const id = `explore-${slug}`;

const plan = { ...findPaperKind("plan")?.example, title: topic };

function configure(tool: Rig): void {
  tool.write(".pairflow/config.yaml", JSON.stringify({ agents: { claude: { adapter: "claude" }, codex } }));
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "-m", "agents");
}

describe.concurrent("exploring on a real CLI", { timeout: 180_000 }, () => {
  test.for(clis)("%s reads, asks, and fills the plan", async (cli) => {
    const model = saying(
      ...(cli === "codex" ? [runs(cli, "touch planted")] : []),
      answers(cli, asksFor("How many codes may a cart have?", ["One", "Several"])),
      answers(cli, handsIn("plan", plan, "One code a cart")),
    );
    await using real = await realRig(model);
    const { tool, server } = real;
    configure(tool);
    await tool.run("explore", topic, "--agent", `planner=${cli}`);
    const story = () => tool.ok("log", "--id", id, "--all");
    const asks = await tool.until(id, ({ driver }) => !driver.alive, "a question", 90_000);
    expect(asks.questions, await story()).toMatchObject([
      { from: cli, text: "How many codes may a cart have?", options: [{ key: "One" }, {}] },
    ]);
    await tool.ok("bubble", "reply", "--id", id, "--choose", "One");
    await tool.until(id, ({ state }) => state === "DONE", "the plan", 90_000);
    const kept = JSON.parse(await tool.ok("plan", "show", slug, "--json"));
    expect(kept, await story()).toMatchObject({ plan: { ...plan, slug, committed: false } });
    const starts = tool.log(id).flatMap(({ type, payload }) => (type === "TURN_STARTED" ? [payload] : []));
    expect(starts.map(({ role, fresh }) => `${role} ${fresh ? "fresh" : "resumed"}`)).toEqual([
      "planner fresh",
      "planner resumed",
    ]);
    const told = server.asked.at(-1)?.texts.join("\n") ?? "";
    expect(told).toContain(`Explore: ${topic}`);
    expect(told).toContain(`Answer to your question "How many codes may a cart have?": One`);
    const [first, second] = server.asked;
    if (cli === "codex") expect(second?.results.at(-1)).toMatchObject({ failed: true });
    else expect(first?.tools.filter((tool) => /^(?:Write|Edit)$/.test(tool))).toEqual([]);
    expect(tool.git("status", "--porcelain").trim()).toBe("?? .pairflow/plans/");
    await tool.ok("verify", "--id", id);
  });

  test.for(clis)("%s hands the plan in by its tool, in a pane", async (cli) => {
    const call = (name: string, input: object) => ({ calls: [{ tool: `mcp__pairflow__${name}`, input }] });
    const model = saying(
      call("pass", { summary: "A plan without a mission", paper: { ...plan, mission: "" } }),
      call("pass", { summary: "One code a cart", paper: plan }),
      { text: "I am done." },
    );
    await using real = await realRig(model);
    const { tool, server } = real;
    configure(tool);
    await tool.ok("explore", topic, "--no-agent");
    await tool.ok(
      ...["workflow", "run", "explore", "--panes", "--id", id, "--task", topic, "--agent", `planner=${cli}`],
      ...["--set", `topic=${topic}`, "--set", `slug=${slug}`],
    );
    await tool.until(id, ({ state }) => state === "DONE", "the plan", 90_000);
    const refused = server.asked[1]?.results.at(-1)?.text;
    expect(refused).toContain("mission is empty");
    const kept = JSON.parse(await tool.ok("plan", "show", slug, "--json"));
    expect(kept).toMatchObject({ plan: { ...plan, slug, committed: false } });
  });
});
