// Gates of repositories with several projects: what the root offers comes first, what it lacks is looked for in the packages.
import { describe, expect, it } from "vitest";
import { detectProfile, detectSetup } from "../../src/app/config/detect.ts";

type Tree = Record<string, string>;

async function found(tree: Tree) {
  const { presets, gates } = await detectProfile(Object.keys(tree), async (path) => tree[path]);
  const shown = gates.map(({ name, command, required, working_dir: folder }) => {
    const where = folder === undefined ? "" : ` (${folder})`;
    return `${name}${required ? "" : "?"}: ${command}${where}`;
  });
  return { presets, gates: shown };
}

const pkg = (scripts: Record<string, string>, more: object = {}) => JSON.stringify({ scripts, ...more });

describe("packages of a workspace", () => {
  it("of npm are run where they are, by the lock file of the root", async () => {
    const tree = {
      "package.json": pkg({}, { workspaces: ["packages/*", "!packages/old"] }),
      "package-lock.json": "{}",
      "packages/cart/package.json": pkg({ test: "node --test", lint: "eslint ." }),
      "packages/web/package.json": pkg({ test: "node --test" }),
      "packages/old/package.json": pkg({ test: "node --test" }),
      "packages/cart/node_modules/x/package.json": pkg({ test: "x" }),
    };
    expect(await found(tree)).toEqual({
      presets: ["javascript in packages/cart, packages/web"],
      gates: [
        "packages-cart:test: npm run test (packages/cart)",
        "packages-web:test: npm run test (packages/web)",
      ],
    });
  });

  it("of pnpm too, for what the root itself does not run", async () => {
    const tree = {
      "package.json": pkg({ test: "pnpm -r test" }),
      "pnpm-lock.yaml": "",
      "pnpm-workspace.yaml":
        "# all\npackages:\n  - 'packages/*'\n  - \"apps/**\"  # and these\ncatalog:\n  x: 1\n",
      "packages/cart/package.json": pkg({ test: "x", typecheck: "tsc --noEmit" }),
      "apps/shop/web/package.json": pkg({ test: "x" }),
    };
    expect((await found(tree)).gates).toEqual([
      "test: pnpm run test",
      "packages-cart:typecheck: pnpm run typecheck (packages/cart)",
    ]);
  });

  it("that are many are run by one command of the package manager", async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`packages/p${i}/package.json`, pkg({ test: "x" })]),
    );
    const root = {
      "package.json": pkg({}, { workspaces: { packages: ["packages/*"] } }),
      "package-lock.json": "{}",
    };
    expect((await found({ ...root, ...packages })).gates).toEqual([
      "test: npm run test --workspaces --if-present",
    ]);
    const pnpm = {
      "package.json": pkg({}),
      "pnpm-lock.yaml": "",
      "pnpm-workspace.yaml": "packages:\n- packages/*\n",
    };
    expect((await found({ ...pnpm, ...packages })).gates).toEqual(["test: pnpm -r --if-present run test"]);
  });

  it("of Go are the modules that go.work uses", async () => {
    const tree = {
      "go.work": "go 1.22\n\nuse (\n\t./cart // the cart\n\t./web\n)\nuse ./tools\n",
      "cart/go.mod": "module cart",
      "web/go.mod": "module web",
      "tools/go.mod": "module tools",
      "other/go.mod": "module other",
    };
    const { presets, gates } = await found(tree);
    expect(presets).toEqual(["go in cart, tools, web"]);
    expect(gates).toContain("cart:test: go test ./... (cart)");
    expect(gates.filter((gate) => gate.includes(":test: "))).toHaveLength(3);
  });

  it("of cargo are built and tested from the root", async () => {
    const tree = { "Cargo.toml": '[workspace]\nmembers = ["cart"]\n', "cart/Cargo.toml": "[package]" };
    expect((await found(tree)).gates).toContain("test: cargo test --workspace");
  });

  it("of uv, and Python projects below a root that is none", async () => {
    const uv = {
      "pyproject.toml": '[tool.uv.workspace]\nmembers = ["packages/*"]\n',
      "uv.lock": "",
      "packages/cart/pyproject.toml": "[tool.pytest.ini_options]\n",
    };
    expect((await found(uv)).gates).toEqual(["packages-cart:test: uv run pytest (packages/cart)"]);
    const plain = {
      "api/pyproject.toml": "[tool.pytest.ini_options]\n",
      "web/package.json": pkg({ test: "x" }),
    };
    expect(await found(plain)).toEqual({
      presets: ["python in api", "javascript in web"],
      gates: ["api:test: pytest (api)", "web:test: npm run test (web)"],
    });
  });
});

describe("setup of folders", () => {
  it("is proposed where their gates are", async () => {
    const tree: Tree = {
      "web/package.json": pkg({ test: "vitest" }, { devDependencies: { vitest: "4" } }),
      "web/package-lock.json": "{}",
      "api/requirements.txt": "pytest==8\n",
      "api/tests/test_a.py": "",
      "examples/shop/package.json": pkg({ test: "x" }, { devDependencies: { mocha: "11" } }),
    };
    expect(await detectSetup(Object.keys(tree), async (path) => tree[path])).toEqual({
      command:
        "(cd api && python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt) && (cd web && npm ci)",
      from: ["api/requirements.txt", "web/package-lock.json"],
    });
  });

  it("is none for packages that the root makes ready", async () => {
    const tree: Tree = {
      "package.json": pkg({}),
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
      "packages/cart/package.json": pkg({ test: "x" }, { devDependencies: { mocha: "11" } }),
    };
    const setup = await detectSetup(Object.keys(tree), async (path) => tree[path]);
    expect(setup?.command).toBe("pnpm install");
  });
});
