// A Python project on a machine whose Python has no pytest: the setup of a bubble brings it, so nobody is asked to install it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";

let tool: Rig;
let bare: Rig;
beforeAll(() => {
  tool = rig({
    files: {
      "requirements.txt": "six\n",
      "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
      "tests/test_cart.py": "def test_total():\n    assert True\n",
    },
  });
  bare = tool.with({ PATH: "/usr/bin:/bin" });
});
afterAll(() => tool.close());

const create = async (id: string, ...more: string[]) => {
  const { code, stdout, stderr } = await bare.run("create", "Fix it", "--id", id, "--yes", ...more);
  expect(code, stderr).toBe(0);
  return stdout + stderr;
};

it("says nothing of a tool that the environment of the setup is made for", async () => {
  const said = await create("fresh");
  expect(said).toContain(
    "setup    python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt pytest",
  );
  expect(said).toMatch(/test +required +pytest/);
  expect(said).not.toContain("cannot run here");
});

it("says so where nothing brings it: without a setup, or with one that makes no environment", async () => {
  const lacks =
    "Gate test cannot run here: pytest is not installed. Install pytest: python3 -m pip install pytest";
  expect(await create("alone", "--no-setup")).toContain(lacks);
  expect(await create("other", "--setup", "true")).toContain(lacks);
  // Another tool is not what pip brings.
  expect(await create("tool", "--gate", "lint=no-such-linter .")).toContain(
    "no-such-linter is not installed",
  );
});

it("doctor says the same", async () => {
  const { stdout } = await bare.run("doctor", "--json");
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; says: string }[] };
  expect(checks.find(({ name }) => name === "gates")).toMatchObject({ status: "ok", says: "test" });
});
