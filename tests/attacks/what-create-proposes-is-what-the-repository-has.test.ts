// Gates are proposed from the project's own files, with their true source; a tool that is missing is said before anybody works.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";

let tool: Rig;
let desk: Terminal | undefined;
beforeAll(() => {
  tool = rig({
    files: {
      "package.json": JSON.stringify({
        name: "shop",
        scripts: { test: "node --test", "lint:check": "true" },
      }),
      "go-part/go.mod": "module shop\n",
    },
  });
});
afterAll(async () => {
  await desk?.close();
  await tool.close();
});

const refused = async (...args: string[]) => (await tool.run(...args)).stderr;

it("a workflow with Go gates of its own finds the scripts of a JavaScript project, and says so", async () => {
  const said = await refused(
    "bubble",
    "create",
    "--workflow",
    "plan-and-execute",
    "--task",
    "x",
    "--id",
    "pe",
  );
  expect(said).toContain(
    'gates found (javascript): lint "npm run lint:check" (optional), test "npm run test"',
  );
  expect(said).not.toMatch(/go build|config\.yaml/);
});

it("its own gates stand in only where nothing is found, with the workflow as their source", async () => {
  tool.git("checkout", "-q", "-b", "bare");
  tool.git("rm", "-q", "-r", "package.json", "go-part");
  tool.git("commit", "-q", "-m", "nothing to find");
  const said = await refused(
    "bubble",
    "create",
    "--workflow",
    "plan-and-execute",
    "--task",
    "x",
    "--id",
    "pe",
  );
  expect(said).toMatch(/gates found \(workflow plan-and-execute: go\): build "go build/);
  tool.git("checkout", "-q", "main");
});

it("submodules, which are empty in a bubble, are named with the line that fills them", async () => {
  tool.git("checkout", "-q", "-b", "parts");
  tool.write(".gitmodules", '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n');
  const commit = tool.git("rev-parse", "HEAD").trim();
  tool.git("update-index", "--add", "--cacheinfo", `160000,${commit},lib`);
  tool.git("add", ".gitmodules");
  tool.git("commit", "-q", "-m", "with a submodule");
  const made = await tool.run("bubble", "create", "--id", "parts", "--task", "x", "--yes");
  expect(made.stdout + made.stderr).toContain(
    'submodules are empty in a bubble (lib); gates that need them: --setup "git submodule update --init"',
  );
  tool.git("checkout", "-q", "main");
});

it("a required gate whose tool is missing is named at create with its hint, and a person says what becomes of it", async () => {
  tool.git("checkout", "-q", "-b", "lacking");
  tool.write(
    ".pairflow/config.yaml",
    'gates: { additional: [{ name: lint, command: pairflow-no-linter run, install: "Install it: apt-get install linter" }] }\n',
  );
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "-m", "configure");
  const made = await tool.run("bubble", "create", "--id", "warned", "--task", "x", "--yes");
  expect(made.stderr).toContain(
    "Gate lint cannot run here: pairflow-no-linter is not installed. Install it: apt-get install linter",
  );
  expect((await tool.run("doctor")).stdout).toMatch(/gates +lint: pairflow-no-linter is not installed/);
  desk = openTerminal(tool, ["bubble", "create", "--id", "chosen", "--task", "x"]);
  // The gates were confirmed a moment ago; what becomes of one that cannot run is asked all the same.
  await desk.sees("make lint [o]ptional, or [a]bort?");
  desk.types("o");
  const { screen } = await desk.ends();
  expect(screen).toMatch(/lint +optional +pairflow-no-linter run/);
  expect(await tool.ok("bubble", "status", "--id", "chosen")).toContain("lint (optional)");
});

it("hooks of the repository that are not installed here are named with the command that installs them", async () => {
  tool.write(".husky/pre-commit", "exit 1\n");
  tool.git("add", "-f", ".husky/pre-commit");
  tool.git("commit", "-q", "-m", "hooks");
  const made = await tool.ok("bubble", "create", "--id", "hooked", "--task", "x", "--test", "true", "--yes");
  expect(made).toContain(
    "hooks of husky (.husky/pre-commit) are not installed in this checkout and do not run: npx husky",
  );
});
