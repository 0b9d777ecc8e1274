// Every kind of question that a record can hold, in one inbox: each option says what it does, what grants something says so, and
// the answer lands on the record. The records are written as files; a holder of this test stands for their drivers.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileTrust } from "../../src/adapters/trust/file.ts";
import { renderBubbleToml } from "../../src/app/config/bubble-file.ts";
import { getUserFile, makeUserFolder } from "../../src/app/host/user-folder.ts";
import { createRecordWorld } from "../../src/app/record/world.ts";
import type { QuestionKind } from "../../src/core/model/record/question-kind.ts";
import type { State } from "../../src/core/model/state.ts";
import { isGrant } from "../../src/core/permission/granting.ts";
import { listTrustedPrograms } from "../../src/core/trust/programs.ts";
import { type Rig, rig } from "../acceptance/rig.ts";
import { everyQuestion } from "../core/every-question.ts";
import { retell, type Told, writeRecord } from "../helpers/record-files.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const kinds = Object.keys(everyQuestion) as QuestionKind[];
const idOf = (kind: QuestionKind) => `asks-${kind}`;

async function writeQuestion({ repo, env }: Rig, kind: QuestionKind): Promise<State> {
  const { log, state } = everyQuestion[kind]();
  const told = retell({ log, state }, idOf(kind), new Date().toISOString());
  const here = JSON.parse(JSON.stringify(told).replaceAll('"/repo"', JSON.stringify(repo))) as Told;
  const folder = await writeRecord(repo, idOf(kind), here);
  writeFileSync(join(folder, "bubble.toml"), renderBubbleToml(here.state.config));
  const { config, profile } = here.state;
  const trust = createFileTrust(getUserFile("trust", repo, env), repo, makeUserFolder);
  const programs = listTrustedPrograms({ config, gates: profile.gates, fileHash: trust.fileHash });
  await trust.remember(programs, new Date().toISOString());
  const at = new Date().toISOString();
  await createRecordWorld(repo).runtime.claim(idOf(kind), {
    ...{ driver: "test", pid: process.pid, host: "here", seat: "process", at, doing: "waits" },
  } as never);
  return here.state;
}

/** Whoever goes on with a bubble looks first whether its agents could be started. */
function withAgents(tool: Rig): Rig {
  const bin = join(tool.folder, "bin");
  mkdirSync(bin);
  for (const name of ["alice", "bob"]) writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  return tool.with({ PATH: `${bin}:${tool.env.PATH}` });
}

describe.skipIf(!hasBrowser)("every kind of question", () => {
  let browser: Browser;
  let tool: Rig;
  let served: Served;
  let page: Page;
  let complaints: string[];
  const states = new Map<QuestionKind, State>();
  const item = (kind: QuestionKind): Locator =>
    page.locator("li.item").filter({ has: page.getByRole("link", { name: idOf(kind), exact: true }) });

  beforeAll(async () => {
    tool = withAgents(rig());
    for (const kind of kinds) states.set(kind, await writeQuestion(tool, kind));
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    ({ page, complaints } = await watchedPage(await browser.newContext()));
    await openPage(page, served);
    await page.getByRole("heading", { name: "Needs you" }).waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  it("is shown whole at any width, and reads well for who cannot see", async () => {
    expect(await listFaults(page)).toEqual([]);
    expect(await listClipped(page)).toEqual([]);
  });

  it.each(kinds)("%s: each option says what it does, and an answer lands on the record", async (kind) => {
    const [question] = states.get(kind)?.questions ?? [];
    if (!question) throw new Error(`the scene of ${kind} asks nothing`);
    expect(question.kind).toBe(kind);
    const asked = item(kind);
    await asked.getByText(question.text.slice(0, 40)).first().waitFor();
    const options = asked.locator(".options > li");
    const shown = await options.allInnerTexts();
    const offered = question.options ?? [];
    expect(offered.length).toBeGreaterThan(0);
    expect(shown).toHaveLength(offered.length);
    for (const [i, { key, does }] of offered.entries()) {
      expect(shown[i]).toContain(key);
      // What a terminal says with flags stands there as fields.
      if (kind !== "agent" && !does.includes("--")) expect(shown[i]).toContain(does);
      expect([key, shown[i]?.includes("grants something")]).toEqual([key, isGrant(kind, key)]);
    }
    const chosen = offered.find(({ key }) => !isGrant(kind, key) && key !== "put-back");
    if (!chosen) throw new Error(`${kind} has no answer for a session`);
    await asked.getByLabel("Your own words").fill(`because of ${kind}`);
    await options.nth(offered.indexOf(chosen)).getByRole("button").click();
    await expect
      .poll(async () => answerOf(kind) ?? (await asked.allInnerTexts()), { timeout: 20_000 })
      .toMatchObject({ said: `because of ${kind}`, via: "page" });
    const said = answerOf(kind);
    if (said?.type === "HUMAN_REPLY") expect(said.choice).toBe(chosen.key);
  });

  /** What the page has written: a reply, or for changed files the word to go on. */
  function answerOf(kind: QuestionKind) {
    const lines = readFileSync(
      join(tool.repo, ".pairflow", "bubbles", idOf(kind), "transcript.ndjson"),
      "utf8",
    );
    const answers = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; payload: Record<string, unknown> })
      .filter(({ payload }) => payload.via === "page");
    const { type, payload } = answers.at(-1) ?? {};
    return payload && { type, said: payload.message, via: payload.via, choice: payload.choice };
  }

  it("the browser had nothing to complain about", () => {
    expect(complaints).toEqual([]);
  });
});
