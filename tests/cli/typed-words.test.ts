// What hands type when they are quick: the beginning of an id, a state in small letters, an issue by its number. And that a
// queue which could not start everything says so to a script too.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { runAt } from "../helpers/operator.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop | undefined;
let tool: Rig | undefined;
afterEach(async () => {
  shop?.close();
  await tool?.close();
  shop = tool = undefined;
});

it("an id that is only begun, or mistyped, is answered with the whole one", async () => {
  shop = openShop();
  await shop.bubble("the-total-of-the-cart");
  await shop.bubble("the-tax");
  for (const typed of ["the-total", "teh-total-of-the-cart"])
    expect(shop.session("status", typed)).toBe(
      `\nRefused: there is no bubble ${typed} in <folder>/shop; did you mean the-total-of-the-cart? (bubble.unknown)\n` +
        "Hint: pairflow bubble status --id the-total-of-the-cart\n[exit 1]\n",
    );
  // Two begin so: neither is meant more than the other.
  expect(shop.session("status", "the-t")).not.toContain("the-total-of");
});

it("one of the only words of a flag may be typed in small letters", async () => {
  shop = openShop();
  await shop.bubble("fix-cart");
  expect(shop.session("list", "--state", "created")).toContain("fix-cart");
  expect(shop.session("list", "--state", "creatd")).toContain("did you mean CREATED?");
});

it("where no bubble suits the command, the hint is no line that would be refused too", async () => {
  shop = openShop();
  await shop.bubble("fix-cart");
  await shop.bubble("tax");
  expect(shop.session("commit")).toMatch(
    /Refused: no bubble is APPROVED_FOR_COMMIT \(bubble.not-given\)[\s\S]*\nHint: pairflow\n/,
  );
});

/** A program on the PATH under the name of GitHub's own, which says what it is told to. */
function withGithub({ answer = "", complaint = "", exit = 0 }): Rig {
  tool ??= rig();
  const bin = join(tool.folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "answer"), answer);
  writeFileSync(join(bin, "complaint"), complaint);
  const gh = join(bin, "gh");
  writeFileSync(
    gh,
    `#!/bin/sh\necho "$*" >> ${bin}/asked\ncat ${bin}/answer\ncat ${bin}/complaint >&2\nexit ${exit}\n`,
  );
  chmodSync(gh, 0o755);
  return tool.with({ PATH: `${bin}:${tool.env.PATH}` });
}

it("an issue by its number or address is asked of gh", async () => {
  const answer = JSON.stringify({ title: "Total subtracts", body: "It should add.\n\n- [ ] 1 and 1 is 2\n" });
  for (const [at, issue] of ["12", "#12", "https://github.com/a/b/issues/12"].entries()) {
    const created = await withGithub({ answer }).ok(
      ...["create", "--issue", issue, "--id", `by-${at}`, "--no-tests", "--reason", "none"],
    );
    expect(created).toContain(`Created by-${at}`);
  }
  expect(await tool?.ok("status", "by-0")).toContain("Total subtracts");
});

it.each([
  ["nothing", ""],
  ["broken JSON", '{"title": "Total\nsubtracts"}'],
  ["a list", "[]"],
  ["no title", '{"title": " ", "body": "text"}'],
  ["null", "null"],
])("%s as gh's answer is told as that, and makes no bubble", async (_, answer) => {
  const refused = await withGithub({ answer }).run("create", "--issue", "12");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toBe(
    "Error: gh answered for issue 12, and not with its title and text (task.no-issue)\n" +
      "Hint: gh issue view 12 --json title,body\n",
  );
  expect(await tool?.ok("list")).toContain("No bubbles yet");
});

it("gh's own complaint is passed on", async () => {
  const refused = await withGithub({ complaint: "no such issue\nusage…\n", exit: 1 }).run(
    "create",
    "--issue",
    "13",
  );
  expect(refused.stderr).toContain("Error: gh: no such issue (task.no-issue)");
});

it("start --all ends with a failure when one could not be started, and drives the others", async () => {
  tool = rig();
  await createScripted(tool, "works", oneLoop);
  await tool.ok(
    "create",
    "Something",
    "--id",
    "broken",
    "--implementer",
    "nobody",
    "--no-tests",
    "--reason",
    "none",
  );
  const { code, stdout, stderr } = await tool.run("start", "--all");
  expect(stdout).toMatch(/works +\S+ +pairflow/);
  expect(stdout).toMatch(/broken +agent\.not-ready/);
  expect(stderr).toContain("(agent.not-ready)");
  expect(code).toBe(1);
  expect(JSON.parse((await tool.run("start", "--all", "--json")).stdout)).toEqual({
    bubbles: [{ bubble: "broken", state: "agent.not-ready", next: expect.stringContaining("bubble.toml") }],
    error: expect.objectContaining({ kind: "refusal", code: "agent.not-ready" }),
  });
});

it("a line about gates has something between its dots where there are none", async () => {
  tool = rig();
  await createScripted(tool, "bare", shortest, "--no-tests", "--reason", "none");
  await tool.run("start", "bare", "--headless");
  expect(await tool.ok("log", "bare")).toMatch(/gates +no gates · tree /);
});

it("a bare repository is named as that, and the hint makes a checkout of it", async () => {
  tool = rig();
  tool.git("clone", "-q", "--bare", ".", "../bare.git");
  const bare = join(tool.folder, "bare.git");
  const refused = await runAt(tool, { cwd: bare }, "init", "--yes");
  expect(refused.stderr).toContain(
    `${bare} is a bare repository: there are no files to work on (repo.not-found)`,
  );
  const hint = /^Hint: (git .*)$/m.exec(refused.stderr)?.[1] ?? "";
  execFileSync("/bin/sh", ["-c", hint], { env: tool.env, stdio: "ignore" });
  expect((await runAt(tool, { cwd: join(tool.folder, "work") }, "init", "--dry-run")).code).toBe(0);
});

it("a record without a line asks for a person, and is not said to run", async () => {
  tool = rig();
  mkdirSync(join(tool.repo, ".pairflow", "bubbles", "cut-off", "artifacts"), { recursive: true });
  expect(await tool.ok()).toMatch(/needs you\n +cut-off +unreadable .*pairflow verify --id cut-off/);
});

it("the first screen shows the agents that init would take, where the usual two are not here", async () => {
  tool = rig();
  const bin = join(tool.folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["gemini", "opencode"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\necho 1.0.0\n");
    chmodSync(join(bin, name), 0o755);
  }
  const other = tool.with({ PATH: `${bin}:/usr/bin:/bin` });
  expect(await other.ok()).toContain("agents: gemini ✓  opencode ✓");
  // What the project names is shown as it is.
  tool.write(".pairflow/config.yaml", "defaults: { agents: { implementer: codex, reviewer: claude } }\n");
  expect(await other.ok()).toContain("agents: codex ✗  claude ✗");
});
