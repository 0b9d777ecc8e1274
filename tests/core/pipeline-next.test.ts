// What a pipeline's status tells people to type when nobody drives it.
import { expect, it } from "vitest";
import type { State } from "../../src/core/model/state.ts";
import { pipelineStatus } from "../../src/core/views/pipeline-status.ts";
import { noTrail } from "../../src/core/views/review-trail.ts";
import { pair } from "./pair.ts";
import { chained } from "./phase-scene.ts";

const now = "2026-02-21T09:08:07.000Z";
const { state } = chained().hands("T1");
const next = (live: { readonly asked?: State }) =>
  pipelineStatus(
    { trail: { ...noTrail, state }, state: "implementing_loop", since: now, reviews: [], begun: {} },
    { now, ...live },
  ).next;

it("is to recover it", () => {
  expect(next({})).toEqual({ says: "nobody drives it", command: "pairflow pipeline recover" });
});

it("is the answer to a part's question, where that holds it up", () => {
  const asked = pair().started().asks("Which rate?").state;
  expect(next({ asked })).toEqual({
    says: `${asked.bubbleId} asks: a human must answer`,
    command: `pairflow bubble reply --id ${asked.bubbleId} --message "…"`,
  });
});
