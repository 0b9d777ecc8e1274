// The paired workflow: the state of a pair that is not what the referee wrote goes to a human, with everything that can be told.
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { accepts, drafts, pairScene, pairTask, rejects } from "./pair-scene.ts";
import { id, type Scene } from "./scene.ts";

const asks = { ask: "Shall I continue?" };
const after = <T extends { readonly steps: readonly unknown[] }>(turn: T) => ({
  steps: [asks, ...turn.steps],
});

/** A pair in its second iteration; whoever has the turn asks a question, so that the loop stands still. */
async function paused(who: "driver" | "challenger" = "driver"): Promise<Scene> {
  const [pe, architect] = [drafts("Added an outbox"), accepts("Ready to lock")];
  const scene = pairScene(
    pairTask(),
    [drafts("Proposed four services"), who === "driver" ? after(pe) : pe],
    [
      rejects("Missing data consistency strategy"),
      who === "driver" ? accepts("Ready to lock", "F1") : after(architect),
    ],
  );
  expect(await scene.plays()).toMatchObject({ state: "WAITING_HUMAN", round: 2 });
  return scene;
}

/** The agent's question is answered; the next turn must not start, and a human is asked about the pair instead. */
async function goesToHuman(scene: Scene, problem: RegExp): Promise<void> {
  const turns = scene.lines("TURN_STARTED").length;
  await scene.tool.ok("bubble", "reply", "--id", id, "--message", "yes, continue");
  const asked = await scene.tool.until(
    id,
    ({ questions }) => questions.some(({ kind }) => kind === "pair-corrupt"),
    "asked about the pair",
    60_000,
  );
  expect(asked.state).toBe("WAITING_HUMAN");
  const lines = rawLines(scene);
  expect(lines.filter(({ type }) => type === "TURN_STARTED")).toHaveLength(turns);
  const item = (await scene.inbox()).find(({ kind }) => kind === "pair-corrupt");
  expect(item?.text).toMatch(problem);
  expect(item?.text).toContain("Proposed four services");
  expect(item?.text).toContain("Missing data consistency strategy");
  expect(item?.options.map(({ key }) => key)).toEqual(["continue", "reject"]);
  expect(lines.findLast(({ type }) => type === "WARNING")).toMatchObject({
    payload: { code: "pair.corrupt" },
  });
  expect(JSON.parse(scene.artifact("pair-sessions/design.salvaged.json"))).toMatchObject({
    task_id: "design",
    problem: expect.stringMatching(problem),
  });
}

/** Every line as it stands, also those that do not verify. */
const rawLines = (scene: Scene): Envelope[] =>
  readFileSync(scene.tool.transcript(id), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** A forger who knows the format: lines are changed and chained anew, and the caches are gone. */
function forge(scene: Scene, change: (line: Envelope) => unknown): void {
  let prev: string | undefined;
  scene.tamper(scene.tool.transcript(id), (text) =>
    text.replace(/.+/g, (line) => {
      const forged = change(JSON.parse(line)) as object;
      const next = JSON.stringify(prev === undefined ? forged : { ...forged, prev });
      prev = createHash("sha256").update(next).digest("hex");
      return next;
    }),
  );
  rmSync(join(scene.tool.repo, ".pairflow", "bubbles", id, "state.json"), { force: true });
}

/** The first critique turned into an approval that nobody gave. */
function approving(line: Envelope): unknown {
  if (line.type !== "PASS" || line.payload.opinion?.decision !== "revise") return line;
  const { findings: _gone, opinion, ...payload } = line.payload;
  return { ...line, payload: { ...payload, opinion: { ...opinion, decision: "approve" } } };
}

describe.concurrent("Feature: Paired workflow overlay", () => {
  describe("Pair state corruption escalates to HIL", () => {
    it("Pair state corruption escalates to HIL", async () => {
      const scene = await paused();
      scene.tamper(scene.path("pair-sessions/design.json"), (text) =>
        text.replace('"challenger_approved": false', '"challenger_approved": true'),
      );
      await goesToHuman(scene, /design\.json was changed after it was written/);
      await scene.answers("continue", "I have looked at it");
      await scene.until("READY_FOR_APPROVAL");
      expect(JSON.parse(scene.artifact("pair-sessions/design.json")).pair_session).toMatchObject({
        history: [{ challenger_approved: false }, { challenger_approved: true }],
        challenger_approved: true,
      });
      expect(scene.turns).toHaveLength(4);
    });

    it("a line of the pair's record that does not verify", async () => {
      const scene = await paused();
      scene.tamper(scene.tool.transcript(id), (text) =>
        text.replace('"summary":"Proposed four services"', '"summary":"Proposed nine services"'),
      );
      // Nothing can be put on such a record, not even a question: whoever acts is told, and how to continue.
      const reply = await scene.tool.run("bubble", "reply", "--id", id, "--message", "yes, continue");
      expect(reply).toMatchObject({ code: 3, stderr: expect.stringContaining("log.damaged") });
      expect(reply.stderr).toContain(`pairflow bubble salvage --id ${id}`);
      expect(await scene.tool.run("verify", "--id", id)).toMatchObject({ code: 1 });
    });

    it("history, iteration and approval that disagree", async () => {
      const scene = await paused("challenger");
      forge(scene, approving);
      await goesToHuman(scene, /iteration 1 was approved, and yet iteration 2 follows it/);
      await scene.answers("continue", "I have looked at it");
      await scene.until("READY_FOR_APPROVAL");
    });

    it("a human who does not trust it ends the run", async () => {
      const scene = await paused();
      scene.tamper(scene.path("pair-sessions/design.json"), (text) => text.replace("four", "nine"));
      await goesToHuman(scene, /was changed after it was written/);
      await scene.answers("reject", "somebody was here");
      await scene.until("CANCELLED");
      expect(scene.lines("LOCKED")).toEqual([]);
    });
  });
});
