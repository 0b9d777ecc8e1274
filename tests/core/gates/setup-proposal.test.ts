// What a repository's lockfiles say about how a fresh tree is made ready.
import { describe, expect, it } from "vitest";
import { proposeSetup } from "../../../src/core/gates/detect/setup.ts";

const packages = JSON.stringify({ devDependencies: { mocha: "^11" } });
const proposed = (files: Readonly<Record<string, string>>) =>
  proposeSetup({ files: Object.keys(files), text: (path) => files[path] })?.command;

describe("the setup that is proposed", () => {
  it.each([
    ["npm ci", { "package.json": packages, "package-lock.json": "{}" }],
    ["npm install --no-audit --no-fund", { "package.json": packages }],
    ["pnpm install --frozen-lockfile", { "package.json": packages, "pnpm-lock.yaml": "" }],
    ["yarn install --frozen-lockfile", { "package.json": packages, "yarn.lock": "# yarn lockfile v1\n" }],
    ["yarn install --immutable", { "package.json": packages, "yarn.lock": "__metadata:\n" }],
    ["uv sync --frozen", { "pyproject.toml": "", "uv.lock": "", "requirements.txt": "click\n" }],
    ["poetry install --no-interaction", { "pyproject.toml": "", "poetry.lock": "" }],
    [
      "python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt",
      { "requirements.txt": "# runtime\nclick==8\n" },
    ],
    [
      "python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt -r requirements-dev.txt",
      { "requirements.txt": "click\n", "requirements-dev.txt": "pytest==8\n", "tests/test_a.py": "" },
    ],
    [
      "python3 -m venv .venv && .venv/bin/pip install -q -e . pytest",
      { "pyproject.toml": "[build-system]\n", "src/shop/__init__.py": "", "tests/test_a.py": "" },
    ],
    [
      'python3 -m venv .venv && .venv/bin/pip install -q -e ".[test]"',
      {
        "pyproject.toml":
          '[project]\ndependencies = ["click"]\n[project.optional-dependencies]\ndocs = ["sphinx"]\ntest = [\n  "pytest"\n]\n[build-system]\n',
        "tests/test_a.py": "",
      },
    ],
    [
      "python3 -m venv .venv && .venv/bin/pip install -q -e .",
      { "setup.py": "setup(install_requires=['click'])", "shop/test_a.py": "" },
    ],
    ["go mod download", { "go.work": "use ./cart\n" }],
    ["cargo fetch --locked", { "Cargo.toml": "", "Cargo.lock": "" }],
    ["go mod download", { "go.mod": "", "go.sum": "" }],
    ["npm ci && uv sync --frozen", { "package.json": packages, "package-lock.json": "{}", "uv.lock": "" }],
  ])("is %s", (command, files) => {
    expect(proposed(files as Record<string, string>)).toBe(command);
  });

  it.each<[string, Record<string, string>]>([
    ["a package.json that needs nothing", { "package.json": '{"scripts":{"test":"node t.js"}}' }],
    ["a lockfile below a folder", { "web/package-lock.json": "{}" }],
    [
      "a Python project that needs no packages",
      { "pyproject.toml": "[build-system]\n", "shop/__init__.py": "" },
    ],
    ["requirements that are only comments", { "requirements.txt": "# none\n" }],
    ["a package.json that cannot be read", { "package.json": "{", "package-lock.json": "{}" }],
    ["nothing at all", {}],
  ])("is none for %s", (_what, files) => {
    expect(proposed(files)).toBeUndefined();
  });

  it("makes folders ready whose gates are proposed, unless the root does it for their kind", () => {
    const files: Record<string, string> = {
      "web app/package.json": packages,
      "web app/package-lock.json": "{}",
      "api/requirements.txt": "click\n",
      "api/uv.lock": "",
    };
    const at = (more: Record<string, string>) => {
      const all = { ...files, ...more };
      return proposeSetup({ files: Object.keys(all), text: (path) => all[path] }, ["api", "web app"]);
    };
    expect(at({})).toEqual({
      command: "(cd api && uv sync --frozen) && (cd 'web app' && npm ci)",
      from: ["api/uv.lock", "web app/package-lock.json"],
    });
    expect(at({ "package.json": packages, "pnpm-lock.yaml": "" })?.command).toBe(
      "pnpm install --frozen-lockfile && (cd api && uv sync --frozen)",
    );
  });
});
