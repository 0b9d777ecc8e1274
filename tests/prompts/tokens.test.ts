// What a turn costs in tokens of ours, by one estimate: characters divided by four. The table in docs/performance.md is
// measured here (UPDATE_GOLDEN=1 writes it), and the tools of agents in panes keep below their limit.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { buildAnswerSchema, buildPaperAnswerSchema } from "../../src/core/answer/schema.ts";
import { getCurrentStep, getDialect } from "../../src/core/state/workflow-position.ts";
import { instructions } from "../../src/mcp/instructions.ts";
import { buildInputSchema } from "../../src/mcp/schemas.ts";
import { tools } from "../../src/mcp/tools.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { kindOf } from "../core/paper-scene.ts";
import type { Moment } from "./play.ts";
import { momentsOf, runs } from "./runs.ts";
import { promptOf } from "./world.ts";

const estimate = (text: string): number => Math.ceil(text.length / 4);
const inThousands = (tokens: number): string => `${(tokens / 1000).toFixed(1)} k`;
const toolLimit = 1300;

/** What a client gives its model of a tool. */
const toolText = tools.map(({ name, about, schema, like }) =>
  JSON.stringify({ name, description: about, input_schema: buildInputSchema(schema, like) }),
);
const toolTokens = estimate([instructions, ...toolText].join(""));

function schemaOf({ state }: Scenario): object {
  const step = getCurrentStep(state);
  if (step?.kind !== "turn" || step.answer === "handoff") return buildAnswerSchema("handoff");
  return step.answer === "paper"
    ? buildPaperAnswerSchema(kindOf(step.paper ?? ""))
    : buildAnswerSchema(getDialect(state));
}

const rows: readonly (readonly [run: string, role: string])[] = [
  ["pair", "implementer"],
  ["pair", "reviewer"],
  ["document", "reviewer"],
  ["review", "reviewer"],
  ["paired", "challenger"],
  ["plan-and-execute", "developer"],
  ["plan-and-execute", "reviewer"],
  ["explore", "planner"],
  ["pipeline", "plan-reviewer"],
  ["pipeline", "code-reviewer"],
];

async function rowOf(run: string, role: string): Promise<string> {
  const moments = momentsOf(run, runs[run] ?? {}).filter((moment) => moment.role === role);
  const first = moments[0] as Moment;
  const last = moments.at(-1) as Moment;
  const headless = await Promise.all([first, last].map(({ scene }) => promptOf(scene, "json")));
  const pane = estimate(await promptOf(first.scene, "tools"));
  const schema = estimate(JSON.stringify(schemaOf(first.scene)));
  const cells = [...headless.map(estimate), schema, pane].map(inThousands);
  return `| ${run}: ${role} | ${cells.join(" | ")} |`;
}

it("is told in docs/performance.md as it is measured", async () => {
  const file = resolve(import.meta.dirname, "../../docs/performance.md");
  const lines = await Promise.all(rows.map(([run, role]) => rowOf(run, role)));
  const head =
    "| turn | first prompt | last prompt of the run | schema of the answer | first prompt in a pane |\n|---|---|---|---|---|";
  const told = `<!-- tokens -->\n\n${[head, ...lines, `| tools, in a pane | | | | ${inThousands(toolTokens)} |`].join("\n")}\n\n<!-- /tokens -->`;
  const page = readFileSync(file, "utf8");
  const table = /<!-- tokens -->[\s\S]*<!-- \/tokens -->/;
  if (process.env.UPDATE_GOLDEN)
    writeFileSync(
      file,
      page.replace(table, () => told),
    );
  expect(table.exec(readFileSync(file, "utf8"))?.[0]).toBe(told);
});

it("keeps the tools of agents in panes below their limit, and every argument among them", () => {
  expect(toolTokens).toBeLessThanOrEqual(toolLimit);
  for (const { name, schema, like } of tools) {
    const entries = Object.keys((schema as unknown as { entries: object }).entries);
    const { properties = {} } = buildInputSchema(schema, like) as { properties?: object };
    expect(Object.keys(properties), name).toEqual(entries);
  }
});
