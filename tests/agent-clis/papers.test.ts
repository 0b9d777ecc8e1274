// The form of every paper on the real CLIs: each takes the schema, hands it to its model, and what the model fills it with
// comes back as a paper that the referee accepts.
import { describe, expect, test } from "vitest";
import { understand } from "../../src/core/answer/answer.ts";
import { buildPaperAnswerSchema } from "../../src/core/answer/schema.ts";
import type { PaperContext, PaperKind } from "../../src/core/paper/kind.ts";
import { findPaperKind, paperKinds } from "../../src/core/paper/kinds.ts";
import { readPaper } from "../../src/core/paper/read.ts";
import type { Schema } from "../../src/core/schema/json-schema.ts";
import type { Asked, Model } from "../models/model.ts";
import { handsIn, notStrict } from "../models/papers.ts";
import { claudeSays, codexSays } from "./bubble-rig.ts";
import { claudeRig } from "./claude-rig.ts";
import { codexRig } from "./codex-rig.ts";

const context: PaperContext = {
  at: "2026-11-16T09:00:00.000Z",
  papers: { plan: findPaperKind("plan")?.example ?? {} },
  payload: { task_description: "Prices as integers, everywhere at once" },
  gates: [],
};

/** The example of a kind as a model writes it, which is told by the prompt which one is wanted. */
const answerOf = (kind: PaperKind) => handsIn(kind.name, kind.example, `the ${kind.name}`);

const wanted = ({ texts }: Asked): PaperKind => {
  const found = paperKinds.find(({ name }) => texts.some((text) => text.includes(`Write the ${name}.`)));
  if (!found) throw new Error(`no paper is asked for in ${JSON.stringify(texts)}`);
  return found;
};

/** The referee makes the same of the answer as of the example itself. */
function expectPaper(kind: PaperKind, answer: unknown): void {
  const understood = understand("paper", answer);
  if (understood.kind !== "claim" || !("paper" in understood.claim)) throw new Error(JSON.stringify(answer));
  const read = readPaper(kind, understood.claim.paper, context);
  expect(read).toEqual({ ok: true, value: expect.any(Object) });
  expect(read).toEqual(readPaper(kind, kind.example, context));
}

const promptFor = ({ name }: PaperKind) => `Write the ${name}.`;
const schemaOf = (kind: PaperKind) => buildPaperAnswerSchema(kind) as Readonly<Record<string, unknown>>;

describe("the form of every paper", { timeout: 180_000 }, () => {
  test("Claude Code takes it, and gives back to its model what does not fit", async () => {
    const model: Model = (asked) => {
      const kind = wanted(asked);
      const isFirst = asked.results.length === 0;
      const { paper, ...answer } = answerOf(kind);
      return claudeSays({ ...answer, paper: isFirst ? { ...paper, approved: true } : paper });
    };
    await using rig = await claudeRig({ model });
    const turns = paperKinds.map(async (kind) => {
      const request = rig.request({
        ...{ role: "planner", readOnly: true, prompt: promptFor(kind), answerSchema: schemaOf(kind) },
      });
      expectPaper(kind, answerIn(await rig.run(request).end()));
    });
    await Promise.all(turns);
    for (const kind of paperKinds) {
      const asked = rig.server.asked.filter((one) => wanted(one) === kind);
      expect(asked.map(({ body }) => formInMessages(body))).toEqual([schemaOf(kind), schemaOf(kind)]);
      const refused = asked[1]?.results[0];
      expect(refused, kind.name).toMatchObject({ tool: "StructuredOutput", failed: true });
      expect(refused?.text).toContain("/paper: must NOT have additional properties");
    }
  });

  test("Codex takes it, and asks its model for it in the strict form", async () => {
    const model: Model = (asked) => codexSays(answerOf(wanted(asked)));
    await using rig = await codexRig({ model });
    // One after the other: in a home that is new, several at once stumble over Codex's own database.
    for (const kind of paperKinds) {
      const request = rig.request({
        ...{ role: "planner", readOnly: true, prompt: promptFor(kind), answerSchema: schemaOf(kind) },
      });
      const { end } = await rig.turn(request);
      expectPaper(kind, answerIn(end));
    }
    expect(rig.server.asked).toHaveLength(paperKinds.length);
    for (const asked of rig.server.asked) {
      const { text } = asked.body as { text: { format: Record<string, unknown> } };
      const schema = schemaOf(wanted(asked));
      expect(text.format).toMatchObject({ type: "json_schema", strict: true, schema });
      expect(notStrict(text.format.schema as Schema)).toEqual([]);
    }
  });
});

function answerIn(end: object): unknown {
  expect(end, JSON.stringify(end)).toMatchObject({ outcome: "answered" });
  return (end as { answer: unknown }).answer;
}

/** The schema as it reached the model. */
function formInMessages(body: unknown): unknown {
  const { tools } = body as { tools: { name: string; input_schema: unknown }[] };
  return tools.find(({ name }) => name === "StructuredOutput")?.input_schema;
}
