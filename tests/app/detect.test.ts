// Test commands are found on the base commit by the presets, and only proposed.
import { describe, expect, it } from "vitest";
import { detectProfile } from "../../src/app/config/detect.ts";
import { loadPresets } from "../../src/app/config/presets.ts";

type Tree = Record<string, string>;

/** What was found, as `name: command`, optional ones with a question mark. */
async function found(tree: Tree): Promise<{ presets: readonly string[]; gates: string[] }> {
  const { presets, gates } = await detectProfile(Object.keys(tree), async (path) => tree[path]);
  return { presets, gates: gates.map((gate) => `${gate.name}${gate.required ? "" : "?"}: ${gate.command}`) };
}

const pkg = (scripts: Record<string, string>, more: object = {}): string =>
  JSON.stringify({ scripts, ...more });

interface Case {
  readonly what: string;
  readonly tree: Tree;
  readonly presets?: string[];
  readonly gates: string[];
}

const javascript: Case[] = [
  {
    what: "the scripts of package.json, lint optional, build left alone",
    tree: {
      "package.json": pkg({ test: "vitest", typecheck: "tsc", lint: "biome lint", build: "vite build" }),
    },
    gates: ["typecheck: npm run typecheck", "lint?: npm run lint", "test: npm run test"],
  },
  {
    what: "not npm's placeholder",
    tree: { "package.json": pkg({ test: 'echo "Error: no test specified" && exit 1' }) },
    presets: [],
    gates: [],
  },
  {
    what: "pnpm by its lock file",
    tree: { "package.json": pkg({ test: "x" }), "pnpm-lock.yaml": "" },
    gates: ["test: pnpm run test"],
  },
  {
    what: "yarn by its lock file",
    tree: { "package.json": pkg({ test: "x" }), "yarn.lock": "" },
    gates: ["test: yarn run test"],
  },
  {
    what: "bun by its lock file",
    tree: { "package.json": pkg({ test: "x" }), "bun.lock": "" },
    gates: ["test: bun run test"],
  },
  {
    what: "bun by its old lock file",
    tree: { "package.json": pkg({ test: "x" }), "bun.lockb": "" },
    gates: ["test: bun run test"],
  },
  {
    what: "npm by its lock file, also where another folder has a different one",
    tree: { "package.json": pkg({ test: "x" }), "package-lock.json": "", "docs/yarn.lock": "" },
    gates: ["test: npm run test"],
  },
  {
    what: "tsc where TypeScript is used and no script checks types",
    tree: {
      "package.json": pkg({ test: "x" }, { devDependencies: { typescript: "6" } }),
      "tsconfig.json": "{}",
      "pnpm-lock.yaml": "",
    },
    gates: ["typecheck: pnpm exec tsc --noEmit", "test: pnpm run test"],
  },
  {
    what: "no tsc without TypeScript as a dependency",
    tree: { "package.json": pkg({ test: "x" }), "tsconfig.json": "{}" },
    gates: ["test: npm run test"],
  },
  {
    what: "no tsc without tsconfig.json at the root",
    tree: {
      "package.json": pkg({ test: "x" }, { dependencies: { typescript: "6" } }),
      "web/tsconfig.json": "{}",
    },
    gates: ["test: npm run test"],
  },
  {
    what: "the project's own way of checking types",
    tree: {
      "package.json": pkg({ test: "x", "check:type": "tsc -p a" }, { devDependencies: { typescript: "6" } }),
      "tsconfig.json": "{}",
    },
    presets: ["typescript"],
    gates: ["typecheck: npm run check:type", "test: npm run test"],
  },
  {
    what: "the project's own coverage script before anything else",
    tree: {
      "package.json": pkg({ test: "x", coverage: "c8 x" }, { devDependencies: { jest: "30" } }),
    },
    gates: ["test: npm run test", "coverage?: npm run coverage"],
  },
  {
    what: "coverage with jest",
    tree: { "package.json": pkg({ test: "x" }, { devDependencies: { jest: "30" } }) },
    gates: [
      "test: npm run test",
      "coverage?: npx --no-install jest --coverage --coverageReporters=json-summary",
    ],
  },
  {
    what: "coverage with vitest only where it has something to measure with",
    tree: {
      "package.json": pkg({ test: "x" }, { devDependencies: { vitest: "4", "@vitest/coverage-v8": "4" } }),
      "pnpm-lock.yaml": "",
    },
    gates: [
      "test: pnpm run test",
      "coverage?: pnpm exec vitest run --coverage --coverage.reporter=json-summary",
    ],
  },
  {
    what: "nothing in a package.json that is not JSON",
    tree: { "package.json": "{" },
    presets: [],
    gates: [],
  },
  {
    what: "nothing in a package.json of odd types",
    tree: { "package.json": '{"scripts": ["test"]}' },
    presets: [],
    gates: [],
  },
  {
    what: "a package.json below a root that is no project, but none among examples",
    tree: { "web/package.json": pkg({ test: "x" }), "examples/a/package.json": pkg({ test: "x" }) },
    presets: ["javascript in web"],
    gates: ["web:test: npm run test"],
  },
  {
    what: "nothing below a root that has gates of its own and names no packages",
    tree: { "package.json": pkg({ test: "x" }), "web/package.json": pkg({ test: "x" }) },
    presets: ["javascript"],
    gates: ["test: npm run test"],
  },
  {
    what: "lint scripts that look before one that writes, and formats that are only checked",
    tree: {
      "package.json": pkg({
        lint: "biome lint --write",
        "check:lint": "biome lint",
        "format:check": "prettier -c .",
      }),
    },
    gates: ["lint?: npm run check:lint", "format?: npm run format:check"],
  },
  {
    what: "no lint script that can only write",
    tree: { "package.json": pkg({ test: "x", lint: "eslint . --fix" }) },
    gates: ["test: npm run test"],
  },
];

const python: Case[] = [
  {
    what: "pytest named in pyproject.toml",
    tree: { "pyproject.toml": 'dev = ["pytest>=8"]' },
    gates: ["test: pytest"],
  },
  {
    what: "pytest named in requirements.txt",
    tree: { "requirements.txt": "pytest==8\n" },
    gates: ["test: pytest"],
  },
  {
    what: "coverage as an option where pytest-cov is used",
    tree: { "requirements.txt": "pytest-cov==5\n" },
    gates: ["test: pytest", "coverage?: pytest --cov --cov-report=xml"],
  },
  {
    what: "coverage.py where it is installed",
    tree: { "pyproject.toml": "pytest\n[tool.coverage.run]", "uv.lock": '[[package]]\nname = "coverage"\n' },
    gates: ["test: uv run pytest", "coverage?: uv run coverage run -m pytest && uv run coverage xml"],
  },
  {
    what: "no coverage where it is configured and nothing brings it in",
    tree: { "pyproject.toml": "pytest\n[tool.coverage.run]", "uv.lock": '[[package]]\nname = "pytest"\n' },
    gates: ["test: uv run pytest"],
  },
  { what: "pytest named in setup.cfg", tree: { "setup.cfg": "[tool:pytest]\n" }, gates: ["test: pytest"] },
  {
    what: "pytest for a tests folder",
    tree: { "setup.py": "", "tests/unit/test_a.py": "" },
    gates: ["test: pytest"],
  },
  {
    what: "unittest where pytest is only spoken of in a comment",
    tree: { "setup.cfg": "# pytest later\n", "test_a.py": "" },
    gates: ["test: python3 -m unittest"],
  },
  {
    what: "unittest otherwise",
    tree: { "setup.py": "", "shop/test_cart.py": "" },
    gates: ["test: python3 -m unittest"],
  },
  {
    what: "nothing where there is no test file at all",
    tree: { "setup.py": "", "shop/cart.py": "" },
    presets: [],
    gates: [],
  },
  {
    what: "ruff as an option where it is configured",
    tree: { "pyproject.toml": "[tool.ruff.lint]\n[tool.pytest.ini_options]\n" },
    gates: ["lint?: ruff check --no-fix .", "test: pytest"],
  },
  {
    what: "ruff by its own file",
    tree: { "setup.py": "", "ruff.toml": "" },
    gates: ["lint?: ruff check --no-fix ."],
  },
  {
    what: "uv by its lock file",
    tree: { "pyproject.toml": "pytest\n[tool.ruff]", "uv.lock": "" },
    gates: ["lint?: uv run ruff check --no-fix .", "test: uv run pytest"],
  },
  {
    what: "poetry by its lock file",
    tree: { "pyproject.toml": "pytest", "poetry.lock": "" },
    gates: ["test: poetry run pytest"],
  },
];

const ownGo = [
  "build: go build ./...",
  "vet: go vet ./...",
  "test: go test ./...",
  "coverage?: go test -coverprofile=coverage.out ./...",
];
const go = ownGo.toSpliced(2, 0, "lint: golangci-lint run");
const others: Case[] = [
  { what: "go", tree: { "go.mod": "" }, gates: ownGo },
  { what: "go with golangci-lint", tree: { "go.mod": "", ".golangci.yml": "" }, gates: go },
  {
    what: "go with golangci-lint in its Makefile",
    tree: { "go.mod": "", Makefile: "lint:\n\tgolangci-lint run\n" },
    gates: go,
  },
  {
    what: "rust",
    tree: { "Cargo.toml": "" },
    gates: [
      "check: cargo check --all-targets",
      "clippy?: cargo clippy --all-targets -- -D warnings",
      "test: cargo test",
    ],
  },
  {
    what: "rust with tarpaulin",
    tree: { "Cargo.toml": "", "tarpaulin.toml": "" },
    gates: [
      "check: cargo check --all-targets",
      "clippy?: cargo clippy --all-targets -- -D warnings",
      "test: cargo test",
      "coverage?: cargo tarpaulin --out Xml --output-dir target/tarpaulin",
    ],
  },
  {
    what: "java with Maven",
    tree: { "pom.xml": "<project/>" },
    gates: ["build: mvn -B -q test-compile", "test: mvn -B test"],
  },
  {
    what: "java with Maven's wrapper, checkstyle and JaCoCo",
    tree: { "pom.xml": "maven-checkstyle-plugin jacoco-maven-plugin", mvnw: "" },
    gates: [
      "build: ./mvnw -B -q test-compile",
      "lint?: ./mvnw -B -q checkstyle:check",
      "test: ./mvnw -B test",
      "coverage?: ./mvnw -B test jacoco:report",
    ],
  },
  {
    what: "java with Gradle",
    tree: { "settings.gradle.kts": "" },
    gates: ["build: gradle --console=plain testClasses", "test: gradle --console=plain test"],
  },
  {
    what: "java with Gradle's wrapper and JaCoCo",
    tree: { "build.gradle": "plugins { id 'jacoco' }", gradlew: "" },
    gates: [
      "build: ./gradlew --console=plain testClasses",
      "test: ./gradlew --console=plain test",
      "coverage?: ./gradlew --console=plain cleanTest cleanJacocoTestReport test jacocoTestReport",
    ],
  },
  {
    what: "make with a test target",
    tree: { Makefile: "all:\n\nlint test: all\n\t./run\n" },
    gates: ["test: make test"],
  },
  { what: "make with a double colon", tree: { makefile: "test:: all\n" }, gates: ["test: make test"] },
  {
    what: "make reads GNUmakefile first",
    tree: { GNUmakefile: "all:\n", Makefile: "test:\n" },
    presets: [],
    gates: [],
  },
  {
    what: "make without a rule for test",
    tree: { Makefile: ".PHONY: test\ntest := 1\nunit-test:\n\ttest: x\n# test:\n" },
    presets: [],
    gates: [],
  },
];

const mixed: Case[] = [
  {
    what: "several kinds at once, gates of one name told apart",
    tree: { "go.mod": "", ".golangci.toml": "", "package.json": pkg({ test: "x", lint: "y" }) },
    presets: ["go", "javascript"],
    gates: [
      "build: go build ./...",
      "vet: go vet ./...",
      "go:lint: golangci-lint run",
      "go:test: go test ./...",
      "coverage?: go test -coverprofile=coverage.out ./...",
      "javascript:lint?: npm run lint",
      "javascript:test: npm run test",
    ],
  },
  {
    what: "make only where nothing else offers a test",
    tree: { "go.mod": "", Makefile: "test:\n" },
    presets: ["go"],
    gates: ownGo,
  },
  {
    what: "make beside a language without one",
    tree: { "package.json": pkg({ lint: "x" }), Makefile: "test:\n" },
    presets: ["make", "javascript"],
    gates: ["test: make test", "lint?: npm run lint"],
  },
  { what: "nothing in an empty project", tree: {}, presets: [], gates: [] },
];

/** Plain JavaScript is not called TypeScript. */
const titleOf = (group: string, tree: Tree) => {
  const isTyped = "tsconfig.json" in tree || /"typescript"/.test(tree["package.json"] ?? "");
  return group === "typescript" && !isTyped ? "javascript" : group;
};

describe.each([
  ["typescript", javascript],
  ["python", python],
  ["others", others],
  ["mixed", mixed],
])("detection: %s", (group, cases) => {
  it.each(cases)("$what", async ({ tree, presets, gates }) => {
    const result = await found(tree);
    expect(result.gates).toEqual(gates);
    if (presets) expect(result.presets).toEqual(presets);
    else if (group !== "others") expect(result.presets).toEqual([titleOf(group, tree)]);
  });
});

describe("detection", () => {
  it("asks the base commit for nothing but the files presets look into", async () => {
    const asked: string[] = [];
    const files = ["package.json", "Makefile", "pyproject.toml", "src/secret.ts", "go.mod"];
    await detectProfile(files, async (path) => {
      asked.push(path);
      return "";
    });
    expect(asked.sort()).toEqual(["Makefile", "package.json", "pyproject.toml"]);
  });

  it("has a preset for each of the built-in kinds", () => {
    expect(loadPresets().map((preset) => preset.name)).toEqual([
      "go",
      "java",
      "make",
      "python",
      "rust",
      "typescript",
    ]);
  });
});
