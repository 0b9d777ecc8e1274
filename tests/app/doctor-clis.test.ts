// What the doctor finds out about agents' programs, with programs that answer, lie, hang and fail.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "../../src/adapters/process/table.ts";
import { type CliOptions, checkClis } from "../../src/app/doctor/agents/clis.ts";
import type { WantedAgent } from "../../src/app/doctor/agents/wanted.ts";
import type { Probe } from "../../src/ports/agent/adapter.ts";
import { type Bench, openBench, probing, wanting } from "./doctor-rig.ts";

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.close());

const install = "npm install --global singer";

/** A probe of the program `singer` in the bench. */
const probeOf = (more: Partial<Probe> = {}): Probe => ({
  program: `${bench.bin}/singer`,
  versionArgs: ["--version"],
  since: "2.1.0",
  install,
  ...more,
});

const withLogin = { loginArgs: ["login", "status"], login: "singer login" };

function look(
  probe: Probe,
  more: CliOptions & { wanted?: readonly WantedAgent[]; variables?: string[] } = {},
) {
  const { wanted = [wanting("singer")], variables = [], ...options } = more;
  const adapters = { singer: probing("singer", probe, variables) };
  const env = { PATH: process.env.PATH, HOME: bench.folder };
  return checkClis(bench.repo, wanted, { adapters, env, limitMs: 30_000, ...options });
}

describe("versions", () => {
  it("a program that was tried is well, with version and place", async () => {
    bench.program("singer", 'echo "singer-cli 2.1.0 (Singer)"');
    expect(await look(probeOf())).toEqual([
      { name: "agent singer", status: "ok", says: `2.1.0 · ${bench.bin}/singer` },
    ]);
  });

  it("says whether this version was tried, or which ones were", async () => {
    bench.program("singer", "echo 2.2.0");
    const says = async (tried: string[]) => (await look(probeOf({ tried })))[0]?.says;
    expect(await says(["2.1.0", "2.2.0"])).toBe(`2.2.0 · ${bench.bin}/singer · a version that was tried`);
    expect(await says(["2.1.0", "12.2.0"])).toBe(`2.2.0 · ${bench.bin}/singer · tried with 2.1.0, 12.2.0`);
  });

  it("one that is older than what was tried is a warning with the line that renews it", async () => {
    bench.program("singer", "echo 2.0.199");
    expect(await look(probeOf())).toEqual([
      {
        name: "agent singer",
        status: "warning",
        says: "2.0.199 is older than 2.1.0, the oldest version that was tried",
        fix: install,
      },
    ]);
  });

  it("a missing one is an error for whom somebody asked, with the line that installs it", async () => {
    const [named] = await look(probeOf());
    expect(named).toMatchObject({
      status: "error",
      says: expect.stringMatching(/not on the PATH/),
      fix: install,
    });
    const [usual] = await look(probeOf(), { wanted: [wanting("singer", "warning")] });
    expect(usual).toMatchObject({ status: "warning", fix: install });
  });

  it("one that fails says why in its own words", async () => {
    bench.program("singer", 'echo "singer: wrong voice" >&2; exit 3');
    expect(await look(probeOf())).toEqual([
      {
        name: "agent singer",
        status: "error",
        says: `${bench.bin}/singer does not run: singer: wrong voice`,
        fix: install,
      },
    ]);
  });

  it("a program that nobody tried need not know --version", async () => {
    bench.program("singer", "exit 2");
    const { since: _untried, ...probe } = probeOf();
    expect(await look(probe)).toEqual([{ name: "agent singer", status: "ok", says: `${bench.bin}/singer` }]);
  });

  it("a program of the repository is found and not run", async () => {
    const program = bench.program("singer", `touch ${bench.folder}/ran; echo 2.1.0`, bench.repo);
    expect(await look(probeOf({ program }))).toMatchObject([{ status: "ok", says: program }]);
    expect(bench.read("ran")).toBe("");
    const outside = bench.program("singer", `echo yes > ${bench.folder}/ran; echo 2.1.0`);
    await look(probeOf({ program: outside }));
    expect(bench.read("ran")).toBe("yes\n");
  });
});

describe("programs that hang", () => {
  it("are given up at the limit, with everything they started", async () => {
    bench.program(
      "singer",
      `sleep 300 & echo $! >> ${bench.folder}/pids; echo $$ >> ${bench.folder}/pids; wait`,
    );
    const startedAt = performance.now();
    const [check] = await look(probeOf(withLogin), { limitMs: 3_000 });
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect(check).toMatchObject({
      status: "warning",
      says: expect.stringContaining("did not end in 3 s"),
      fix: `time ${bench.bin}/singer --version`,
    });
    const pids = bench.read("pids").trim().split("\n").map(Number);
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) await ended(pid);
  });

  it("are said not to tell of a login when only that question hangs", async () => {
    bench.program("singer", 'case "$*" in --version) echo 2.1.0;; *) exec sleep 300;; esac');
    expect(await look(probeOf(withLogin), { limitMs: 3_000 })).toMatchObject([
      {
        status: "warning",
        says: `${bench.bin}/singer does not say in time whether somebody is logged in`,
        fix: `time ${bench.bin}/singer login status`,
      },
    ]);
  });

  it("do not keep the others waiting for one another", async () => {
    bench.program("singer", "sleep 300");
    const names = ["soprano", "alto", "tenor", "bass", "piano", "organ"];
    const adapters = Object.fromEntries(
      names.map((name) => [name, probing(name, probeOf({ ...withLogin, versionArgs: [name] }))]),
    );
    const wanted = names.map((name) => wanting(name));
    const startedAt = performance.now();
    const checks = await look(probeOf(), { limitMs: 2_000, wanted, adapters });
    expect(checks.map(({ status }) => status)).toEqual(names.map(() => "warning"));
    expect(performance.now() - startedAt).toBeLessThan(names.length * 2 * 2_000);
  });
});

async function ended(pid: number): Promise<void> {
  for (const end = Date.now() + 20_000; isAlive(pid); await sleep(20)) {
    if (Date.now() > end) throw new Error(`${pid} still runs`);
  }
}

describe("logins", () => {
  const status = (code: number) =>
    `case "$*" in --version) echo 2.1.0;; "login status") echo "key sk-part***9876"; exit ${code};; esac`;

  it("the program's own status command decides", async () => {
    bench.program("singer", status(0));
    expect(await look(probeOf(withLogin))).toMatchObject([
      { status: "ok", says: `2.1.0 · ${bench.bin}/singer · logged in` },
    ]);
  });

  it("nobody logged in is an error for whom somebody asked, and how to log in", async () => {
    bench.program("singer", status(1));
    const [named] = await look(probeOf({ ...withLogin, program: `${bench.bin}/singer` }));
    expect(named).toMatchObject({ status: "error", fix: "singer login" });
    expect(named?.says).toBe(`nobody is logged in to ${bench.bin}/singer`);
    const [usual] = await look(probeOf(withLogin), { wanted: [wanting("singer", "warning")] });
    expect(usual).toMatchObject({ status: "warning", fix: "singer login" });
  });

  it("an old program without a login has two things to fix", async () => {
    bench.program("singer", 'case "$1" in --version) echo 1.0.0;; *) exit 1;; esac');
    const checks = await look(probeOf(withLogin));
    expect(checks.map(({ status, fix }) => [status, fix])).toEqual([
      ["warning", install],
      ["error", "singer login"],
    ]);
  });

  it("nothing that a status command prints is shown, whatever it says", async () => {
    for (const code of [0, 1]) {
      bench.program("singer", status(code));
      expect(JSON.stringify(await look(probeOf(withLogin)))).not.toContain("9876");
    }
  });

  it("a variable the agent gets is a login by its name; its value is never shown", async () => {
    bench.program("singer", status(1));
    const env = { PATH: process.env.PATH, HOME: bench.folder, SINGER_KEY: "tralala-secret" };
    const probe = probeOf({ ...withLogin, loginVariables: ["SINGER_TOKEN", "SINGER_KEY"] });
    const checks = await look(probe, { env, variables: ["SINGER_*"] });
    expect(checks).toMatchObject([{ status: "ok", says: expect.stringMatching(/ · login by SINGER_KEY$/) }]);
    expect(JSON.stringify(checks)).not.toContain("tralala");
  });

  it("so is one that the agent's settings hand on by name", async () => {
    bench.program("singer", status(1));
    const env = { PATH: process.env.PATH, HOME: bench.folder, SINGER_KEY: "tralala-secret" };
    const probe = probeOf({ ...withLogin, loginVariables: ["SINGER_KEY"] });
    const handed = { ...wanting("singer"), settings: { adapter: "singer", variables: ["SINGER_KEY"] } };
    const checks = await look(probe, { env, wanted: [wanting("singer"), handed] });
    expect(checks.map((check) => check.status)).toEqual(["error", "ok"]);
  });

  it("a variable that is kept from the agent, or is empty, is none", async () => {
    bench.program("singer", status(1));
    const env = { PATH: process.env.PATH, HOME: bench.folder, SINGER_KEY: "tralala-secret" };
    const probe = probeOf({ ...withLogin, loginVariables: ["SINGER_KEY"] });
    expect(await look(probe, { env, variables: ["SINGER_VOICE"] })).toMatchObject([{ status: "error" }]);
    const empty = { ...env, SINGER_KEY: "" };
    expect(await look(probe, { env: empty, variables: ["SINGER_KEY"] })).toMatchObject([{ status: "error" }]);
  });
});

it("programs see the common variables and their own, and no other", async () => {
  bench.program("singer", `env > ${bench.folder}/env; echo 2.1.0`);
  const env = {
    PATH: process.env.PATH,
    HOME: bench.folder,
    LANG: "C.UTF-8",
    SINGER_HOME: "/stage",
    SINGERS: "many",
    ANOTHER_API_KEY: "tralala-secret",
  };
  await look(probeOf(), { env, variables: ["SINGER_*"] });
  const seen = bench.read("env");
  expect(seen).toMatch(/^SINGER_HOME=\/stage$/m);
  expect(seen).toMatch(/^LANG=C\.UTF-8$/m);
  expect(seen).not.toMatch(/ANOTHER_API_KEY|SINGERS|tralala/);
});

it("agents that share a program ask it once", async () => {
  bench.program("singer", `echo "$*" >> ${bench.folder}/asked; echo 2.1.0`);
  const wanted = [wanting("singer"), { ...wanting("singer"), name: "agent singer (choir)" }];
  const checks = await look(probeOf(withLogin), { wanted });
  expect(checks.map(({ name }) => name)).toEqual(["agent singer", "agent singer (choir)"]);
  expect(bench.read("asked").trim().split("\n").sort()).toEqual(["--version", "login status"]);
});

it("an agent with an unknown adapter is sent to the file that names it", async () => {
  const wanted = [{ ...wanting("singer"), settings: { adapter: "opera" } }];
  expect(await look(probeOf(), { wanted })).toEqual([
    {
      name: "agent singer",
      status: "error",
      says: "there is no adapter opera; known: singer",
      fix: "${EDITOR:-vi} /repo/.pairflow/config.yaml",
    },
  ]);
});
