// Every kind of question that a record can hold, in one inbox: each option says what it does, what grants something says so, and
// the answer lands on the record, by the session or by a touch of a key. The records are written as files; a holder of this test stands for their drivers.
import { mkdirSync, writeFileSync } from "node:fs";
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
import { addAuthenticator, confirmPasskey, makePasskey } from "./authenticator.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const kinds = Object.keys(everyQuestion) as QuestionKind[];
/** Each is asked once for a session to answer, and once more where an answer grants something, for a key. */
type Way = "speaks" | "grants";
const idOf = (kind: QuestionKind, way: Way) => `${way}-${kind}`;
const mayGrant = (kind: QuestionKind): boolean =>
  everyQuestion[kind]().state.questions.some(({ options = [] }) =>
    options.some(({ key }) => isGrant(kind, key)),
  );
const granting = kinds.filter(mayGrant);
const words = "the totals of the cart are computed before tax, for shops; nothing else";

async function writeQuestion({ repo, env, git }: Rig, kind: QuestionKind, id: string): Promise<State> {
  const { log, state } = everyQuestion[kind]();
  const told = retell({ log, state }, id, new Date().toISOString());
  // Whose key counts is read from the base commit.
  const base = git("rev-parse", "HEAD").trim();
  const text = JSON.stringify(told).replaceAll('"/repo"', JSON.stringify(repo));
  const here = JSON.parse(text.replaceAll(':"base"', `:${JSON.stringify(base)}`)) as Told;
  const folder = await writeRecord(repo, id, here);
  writeFileSync(join(folder, "bubble.toml"), renderBubbleToml(here.state.config));
  const { config, profile } = here.state;
  const trust = createFileTrust(getUserFile("trust", repo, env), repo, makeUserFolder);
  const programs = listTrustedPrograms({ config, gates: profile.gates, fileHash: trust.fileHash });
  await trust.remember(programs, new Date().toISOString());
  const at = new Date().toISOString();
  await createRecordWorld(repo).runtime.claim(id, {
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
  const item = (id: string): Locator =>
    page.locator("li.item").filter({ has: page.getByRole("link", { name: id, exact: true }) });

  beforeAll(async () => {
    tool = withAgents(rig());
    for (const kind of kinds) states.set(kind, await writeQuestion(tool, kind, idOf(kind, "speaks")));
    for (const kind of granting) await writeQuestion(tool, kind, idOf(kind, "grants"));
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
    const asked = item(idOf(kind, "speaks"));
    await asked.getByText(question.text.slice(0, 40)).first().waitFor();
    const shown = await asked.locator(".options > li").allInnerTexts();
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
    await choose(idOf(kind, "speaks"), offered.indexOf(chosen));
    const said = findAnswer(idOf(kind, "speaks"));
    if (said?.type === "HUMAN_REPLY") expect(said.payload.choice).toBe(chosen.key);
  });

  it("what grants something needs a key", async () => {
    await addAuthenticator(page.context(), page);
    await makePasskey(page, "laptop");
    confirmPasskey(tool, "laptop");
    await page.getByRole("link", { name: "Inbox" }).click();
  });

  it.each(granting)("%s: what grants something is granted by a touch of it", async (kind) => {
    const offered = states.get(kind)?.questions[0]?.options ?? [];
    const at = offered.findIndex(({ key }) => isGrant(kind, key));
    await choose(idOf(kind, "grants"), at);
    expect(findAnswer(idOf(kind, "grants"))?.payload).toMatchObject({
      choice: offered[at]?.key,
      door: { passkey: { name: "laptop" } },
    });
  });

  async function choose(id: string, at: number): Promise<void> {
    const asked = item(id);
    await asked.getByLabel("Your own words").fill(words);
    await asked.locator(".options > li").nth(at).getByRole("button").click();
    await expect
      .poll(async () => findAnswer(id)?.payload ?? (await asked.allInnerTexts()), { timeout: 10_000 })
      .toMatchObject({ message: words, via: "page" });
  }

  /** What the page has written: a reply, or for changed files the word to go on. */
  function findAnswer(id: string): { type: string; payload: Record<string, unknown> } | undefined {
    const lines = tool.log(id) as { type: string; payload: Record<string, unknown> }[];
    const said = lines.filter(({ payload }) => payload.via === "page");
    return said.find(({ type }) => type === "HUMAN_REPLY") ?? said.at(-1);
  }

  it("the browser had nothing to complain about", () => {
    expect(complaints).toEqual([]);
  });
});
