// What a pipeline's status tells people to type when nobody drives it.
import { expect, it } from "vitest";
import type { State } from "../../../src/core/model/state.ts";
import { buildPipelineStatus } from "../../../src/core/views/pipeline/status.ts";
import { noTrail } from "../../../src/core/views/review/trail.ts";
import { pair } from "../pair.ts";
import { chained } from "../phase-scene.ts";

const now = "2026-02-21T09:08:07.000Z";
const { state } = chained().hands("T1");
const next = (live: { readonly asked?: readonly State[] }) =>
  buildPipelineStatus(
    { trail: { ...noTrail, state }, state: "implementing_loop", since: now, reviews: [], begun: {} },
    { now, ...live },
  ).next;

it("is to recover it", () => {
  expect(next({})).toEqual({ says: "nobody drives it", command: "pairflow pipeline recover" });
});

it("is the answer to a part's question, where that holds it up", () => {
  const asked = pair().started().asks("Which rate?").state;
  expect(next({ asked: [asked] })).toEqual({
    says: `${asked.bubbleId} asks: a human must answer`,
    command: `pairflow bubble reply --id ${asked.bubbleId} --message "…"`,
  });
});

it("tells a part's question with its options and the command, beside its own", () => {
  const asked = pair()
    .started()
    .asks("Which rate?", { options: ["19 %", "7 %"] }).state;
  const { questions } = buildPipelineStatus(
    { trail: { ...noTrail, state }, state: "implementing_loop", since: now, reviews: [], begun: {} },
    { now, asked: [asked], driver: { pid: 1, seat: "process" } },
  );
  expect(questions).toMatchObject([
    {
      bubble: asked.bubbleId,
      text: "Which rate?",
      options: [{ key: "19 %" }, { key: "7 %" }],
      command: expect.stringContaining(`--id ${asked.bubbleId} --choose '19 %'|'7 %'`),
    },
  ]);
});
