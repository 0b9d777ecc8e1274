// Every prompt of every role of every built-in workflow, as the engine writes it, beside what was read and agreed on.
// UPDATE_GOLDEN=1 writes them anew; read the difference as the agent would before you keep it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Scenario } from "../../src/testing/scenario.ts";
import type { Moment } from "./play.ts";
import { begin, builtIns, keptMoments, momentsOf, others, rolesOf, runs } from "./runs.ts";
import { noticeOf, promptOf } from "./world.ts";

const folder = resolve(import.meta.dirname, "../fixtures/prompts");
const isUpdating = Boolean(process.env.UPDATE_GOLDEN);
const written = new Set<string>();

/** The prompt without a terminal whole, and of the one in a pane what differs. */
async function render(scene: Scenario): Promise<string> {
  const [headless, pane] = await Promise.all([promptOf(scene, "json"), promptOf(scene, "tools")]);
  const known = new Set(sectionsOf(headless));
  const other = sectionsOf(pane).filter((section) => !known.has(section));
  return `${headless}\n<!-- In a pane: ${noticeOf(scene)} These sections differ: -->\n\n${other.join("\n")}`;
}

const sectionsOf = (text: string): string[] => text.split(/^(?=## )/m);

async function compare(name: string, scene: Scenario): Promise<void> {
  const file = join(folder, `${name}.md`);
  const text = await render(scene);
  written.add(`${name}.md`);
  if (isUpdating) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(existsSync(file) ? readFileSync(file, "utf8") : `${name}.md is missing: UPDATE_GOLDEN=1`).toBe(text);
}

const nameOf = (run: string, { step, role, agent, visit }: Moment): string =>
  `${run}/${step.replaceAll("/", "-")}.${role}.${agent}.${visit}`;

describe("the prompts of", () => {
  for (const [name, run] of Object.entries({ ...runs, ...others }))
    it(name, async () => {
      for (const moment of keptMoments(name, run)) await compare(nameOf(name, moment), moment.scene);
    });
});

describe("an attempt that did not hand over", () => {
  const refused =
    "the referee refused the answer: this approval proves nothing about C2\nhint: `checked` (C2 src/cart.ts:LINE what you saw there)";
  const ends: Readonly<Record<string, (scene: Scenario) => Scenario>> = {
    refused: (scene) => scene.turnStarts().turnEnds("garbage", { detail: refused }),
    interrupted: (scene) =>
      scene.turnStarts().turnEnds("crashed", { detail: "its process ended with code 137" }),
    unfinished: (scene) => scene.turnStarts().turnEnds("unfinished", { detail: "two tests are still red" }),
    answered: (scene) =>
      scene
        .asks("May the rounding change?", { options: ["yes", "no"] })
        .turnEnds("asked")
        .replies({ choice: "no", message: "not now" }),
    "without-its-session": (scene) =>
      scene.turnStarts().turnEnds("no-session", { detail: "the session does not exist any more" }),
  };
  const first = (name: string, role: string) =>
    momentsOf(name, runs[name] ?? {}).find((moment) => moment.role === role);
  it.each([
    ["pair", "implementer"],
    ["pair", "reviewer"],
    ["pipeline", "planner"],
  ])("in %s, by the %s", async (name, role) => {
    const moment = first(name, role);
    if (!moment) throw new Error(`${name} has no ${role}`);
    for (const [end, play] of Object.entries(ends))
      await compare(`${nameOf(name, moment)}.${end}`, play(moment.scene));
  });

  it("is told why a handoff was refused", async () => {
    const moment = first("pair", "implementer");
    if (!moment) throw new Error("pair has no implementer");
    const ready = moment.scene.turnStarts();
    const turned = ready.does(ready.pass()).handsOver("T9", { problems: ["a merge is under way"] });
    await compare(`${nameOf("pair", moment)}.handoff-refused`, turned);
  });
});

describe("the golden files", () => {
  it("have every built-in workflow, and every role of it", () => {
    const played = Object.entries(runs).map(([name, { workflow = name }]) => workflow);
    expect([...new Set(played)].sort()).toEqual([...builtIns].sort());
    for (const [name, run] of Object.entries(runs)) {
      const told = new Set(keptMoments(name, run).map(({ step, role }) => `${step} ${role}`));
      const siblings = Object.entries(runs).filter(
        ([other, { workflow = other }]) => workflow === (run.workflow ?? name),
      );
      const all = new Set(
        siblings.flatMap(([other, one]) => momentsOf(other, one).map(({ step, role }) => `${step} ${role}`)),
      );
      expect(told.size).toBeGreaterThan(0);
      expect(rolesOf(begin(name, run)).filter((one) => !all.has(one))).toEqual([]);
    }
  });

  afterAll(() => {
    const stale = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .filter((file) => !written.has(file));
    if (isUpdating) for (const file of stale) rmSync(join(folder, file));
    else expect(stale).toEqual([]);
  });
});
