// The paired workflow: its own YAML from command to commit, the file of the pair session in its schema, and a pair whose driver
// process dies.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { killProcess } from "../helpers/kill.ts";
import { accepts, drafts, pairScene, pairTask, rejects } from "./pair-scene.ts";
import { eventually, id, makes, reviews, Scene } from "./scene.ts";

const verbatim = readFileSync(
  join(import.meta.dirname, "..", "fixtures", "workflows", "paired-workflow.yaml"),
  "utf8",
);

/** The keys of the schema in the specification, in its order. */
const sessionKeys = [
  "driver_agent",
  "challenger_agent",
  "current_role_driver",
  "role_switch",
  "iteration",
  "max_iterations",
  "history",
  "challenger_approved",
];
const entryKeys = ["iteration", "driver_output_summary", "challenger_critique", "challenger_approved"];

/** The file of the pair session, which must have exactly the keys of the specification. */
function session(scene: Scene, task: string): Record<string, unknown> {
  const file = JSON.parse(scene.artifact(`pair-sessions/${task}.json`));
  expect(Object.keys(file)).toEqual(["pair_session"]);
  expect(Object.keys(file.pair_session)).toEqual(sessionKeys);
  for (const entry of file.pair_session.history) expect(Object.keys(entry)).toEqual(entryKeys);
  return file.pair_session;
}

const checked = (line: number, quote: string) => ({
  checked: [{ file: "design.md", line, quote, why: `the design says so in line ${line}` }],
});

const driverOf = (scene: Scene) => scene.lines("DRIVER_CLAIMED").at(-1)?.payload.pid ?? 0;

/** The driver is killed without warning when `now` holds, and another one continues. */
async function killedWhen(scene: Scene, now: () => boolean): Promise<void> {
  await eventually("the moment to kill", now);
  await killProcess(driverOf(scene));
  await scene.tool.until(id, ({ driver }) => !driver.alive, "nobody drives");
  await scene.tool.ok("bubble", "resume", "--id", id, "--headless");
}

/** Every turn was answered once and started once. */
function nothingRepeated(scene: Scene): void {
  expect(scene.turns).toEqual(["driver pe", "challenger architect", "driver pe", "challenger architect"]);
  expect(scene.lines("TURN_STARTED")).toHaveLength(4);
  expect(scene.lines("PASS").map(({ payload }) => payload.turn)).toEqual(["t1", "t2", "t3", "t4"]);
  expect(scene.lines("LOCKED")).toHaveLength(1);
}

describe.concurrent("Feature: Paired workflow overlay", () => {
  it("the YAML of the specification runs unmodified, from command to commit", async () => {
    const scene = new Scene({
      workflow: verbatim,
      file: "paired-workflow.yaml",
      agents: {
        architect: [
          makes(
            "design.md",
            "# Shop\nFour services\n",
            "Proposed microservices architecture with 4 services",
          ),
          {
            steps: [
              { ask: "Which broker?" },
              ...makes("design.md", "# Shop\nFour services, an outbox\n", "Added an outbox").steps,
            ],
          },
        ],
        pe: [
          reviews({
            challenger_approved: false,
            critique: "Missing data consistency strategy across service boundaries",
            findings: [
              {
                severity: "P1",
                title: "No consistency strategy",
                file: "design.md",
                line: 2,
                evidence: "Four services",
              },
            ],
          }),
          reviews({
            challenger_approved: true,
            critique: "The outbox keeps the services consistent",
            prior_findings: [{ id: "F1", status: "fixed", reason: "design.md:2 names an outbox" }],
            ...checked(2, "Four services, an outbox"),
          }),
        ],
      },
      config: "defaults: { review: { require_evidence: true } }",
    });
    expect(readFileSync(join(scene.tool.repo, scene.file), "utf8")).toBe(verbatim);
    expect(await scene.plays()).toMatchObject({ state: "WAITING_HUMAN", round: 2 });
    expect(session(scene, "design-l1")).toEqual({
      driver_agent: "architect",
      challenger_agent: "pe",
      current_role_driver: "architect",
      role_switch: "session",
      iteration: 2,
      max_iterations: 5,
      history: [
        {
          iteration: 1,
          driver_output_summary: "Proposed microservices architecture with 4 services",
          challenger_critique: expect.stringContaining(
            "Missing data consistency strategy across service boundaries",
          ),
          challenger_approved: false,
        },
      ],
      challenger_approved: false,
    });
    await scene.tool.ok("bubble", "reply", "--id", id, "--message", "any");
    await scene.until("READY_FOR_APPROVAL");
    await eventually("the last view", () => session(scene, "design-l1").challenger_approved === true);
    expect(session(scene, "design-l1")).toMatchObject({
      iteration: 2,
      history: [{ iteration: 1 }, { iteration: 2, challenger_approved: true }],
    });
    expect(scene.turns).toEqual(["driver architect", "challenger pe", "driver architect", "challenger pe"]);
    await scene.signs();
    expect(await scene.status()).toMatchObject({ state: "DONE" });
    expect(scene.committed("design.md")).toBe("# Shop\nFour services, an outbox\n");
    expect(await scene.tool.ok("verify", "--id", id)).toContain(id);
  });

  it("a driver killed between two turns continues where it was", async () => {
    const scene = pairScene(
      pairTask(),
      [drafts("Four services"), drafts("An outbox")],
      [rejects("Not consistent"), accepts("Ready", "F1")],
    );
    await scene.plays("--detach", "--test", "sleep 1");
    await killedWhen(
      scene,
      () => scene.lines("STEP_ADVANCED").filter(({ payload }) => payload.to === "design/gates").length === 2,
    );
    expect(await scene.status()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 2 });
    nothingRepeated(scene);
    const inRounds = scene.lines("GATES_RESULT").filter(({ payload }) => payload.clean === undefined);
    expect(inRounds).toHaveLength(2);
  });

  it("a driver killed inside a turn continues where it was", async () => {
    const scene = pairScene(
      pairTask(),
      [drafts("Four services"), drafts("An outbox")],
      [rejects("Not consistent"), { steps: [{ wait: "2s" }, ...accepts("Ready", "F1").steps] }],
    );
    await scene.plays("--detach");
    await killedWhen(scene, () => scene.lines("TURN_SPAWNED").some(({ payload }) => payload.turn === "t4"));
    expect(await scene.status()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 2 });
    nothingRepeated(scene);
    expect(session(scene, "design")).toMatchObject({ iteration: 2, challenger_approved: true });
  });

  it("a driver killed while it writes the session or locks the artifact continues where it was", async () => {
    const twoRounds = () =>
      pairScene(
        pairTask(),
        [drafts("Four services"), drafts("An outbox")],
        [rejects("Not consistent"), accepts("Ready", "F1")],
      );
    const reference = twoRounds();
    const diary = join(reference.tool.folder, "points");
    await reference.with({ PAIRFLOW_CRASH_FILE: diary }).plays();
    const points = readFileSync(diary, "utf8").trim().split("\n");
    const places = [points.lastIndexOf("pair-session.written"), points.indexOf("lock.hashed")];
    for (const place of places) {
      const scene = twoRounds();
      const file = join(scene.tool.folder, "points");
      const crash = { PAIRFLOW_CRASH_FILE: file, PAIRFLOW_CRASH_AT: String(place + 1) };
      expect((await scene.with(crash).run()).code).not.toBe(0);
      expect(existsSync(`${file}.killed`)).toBe(true);
      await scene.tool.ok("bubble", "resume", "--id", id, "--headless");
      expect(await scene.status()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 2 });
      expect(scene.lines("PASS").map(({ payload }) => payload.turn)).toEqual(["t1", "t2", "t3", "t4"]);
      expect(scene.lines("LOCKED")).toHaveLength(1);
      expect(await scene.tool.ok("verify", "--id", id)).toContain(id);
    }
  });
});
