// Edits to tests, gates, CI and the project's knowledge are shown as such.
import { describe, expect, it } from "vitest";
import { describeSensitiveEdit, findSensitiveEdits } from "../../../src/core/gates/sensitive.ts";
import type { ChangedFile } from "../../../src/core/model/record/payloads/parts.ts";

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  status: "modified",
  added: 1,
  removed: 12,
  ...more,
});
const kindOf = (path: string) => findSensitiveEdits([file(path)])[0]?.kind;

describe("a changed file is", () => {
  it.each([
    ["test/cart.test.ts", "tests"],
    ["src/cart.spec.tsx", "tests"],
    ["src/__tests__/cart.js", "tests"],
    ["src/__snapshots__/cart.js.snap", "tests"],
    ["web/e2e/login.ts", "tests"],
    ["cart_test.go", "tests"],
    ["internal/testdata/cart.golden", "tests"],
    ["shop/test_cart.py", "tests"],
    ["shop/conftest.py", "tests"],
    ["crates/shop/tests/it.rs", "tests"],
    ["app/src/test/java/CartTest.java", "tests"],
    ["app/src/main/java/CartIT.java", "tests"],
    ["tests/fixtures/cart.json", "tests"],
    [".pairflow/config.yaml", "gates"],
    ["package.json", "gates"],
    ["web/package.json", "gates"],
    ["Makefile", "gates"],
    ["tsconfig.build.json", "gates"],
    [".eslintrc.json", "gates"],
    ["eslint.config.mjs", "gates"],
    ["biome.json", "gates"],
    ["vitest.config.ts", "gates"],
    [".nycrc", "gates"],
    ["pyproject.toml", "gates"],
    [".coveragerc", "gates"],
    [".golangci.yml", "gates"],
    ["clippy.toml", "gates"],
    ["pom.xml", "gates"],
    ["app/build.gradle.kts", "gates"],
    [".pre-commit-config.yaml", "gates"],
    [".husky/pre-commit", "gates"],
    [".github/workflows/test.yml", "ci"],
    [".gitlab-ci.yml", "ci"],
    ["Jenkinsfile", "ci"],
    [".circleci/config.yml", "ci"],
    ["azure-pipelines.yml", "ci"],
    [".buildkite/pipeline.yml", "ci"],
    [".pairflow/sops/error-handling.md", "knowledge"],
    [".pairflow/constitution.md", "knowledge"],
    ["server/constitution.md", "knowledge"],
    [".pairflow/conventions.ndjson", "knowledge"],
    ["AGENTS.md", "knowledge"],
  ])("%s: %s", (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });

  it.each([
    "src/cart.ts",
    "cart.go",
    "docs/testing.md",
    "src/contest.py",
    "src/latest.ts",
    "lib/inspector.js",
    "README.md",
  ])("nothing special: %s", (path) => {
    expect(kindOf(path)).toBeUndefined();
  });

  it("what it was before it was renamed", () => {
    const [edit] = findSensitiveEdits([
      file("old/cart.txt", { status: "renamed", from: "test/cart.test.ts" }),
    ]);
    expect(edit).toEqual({
      kind: "tests",
      path: "old/cart.txt",
      from: "test/cart.test.ts",
      status: "renamed",
      removed: 12,
    });
    expect(edit && describeSensitiveEdit(edit)).toBe(
      "tests: old/cart.txt (renamed from test/cart.test.ts, −12 lines)",
    );
  });
});

describe("the sentence", () => {
  it.each([
    [file("test/cart.test.ts"), "tests: test/cart.test.ts (modified, −12 lines)"],
    [file("a_test.go", { status: "deleted", removed: 1 }), "tests: a_test.go (deleted, −1 line)"],
    [file("a_test.go", { status: "added", removed: 0 }), "tests: a_test.go (added)"],
    [file("tests/logo.png", { removed: null }), "tests: tests/logo.png (modified)"],
  ])("%j", (changed, sentence) => {
    expect(findSensitiveEdits([changed]).map(describeSensitiveEdit)).toEqual([sentence]);
  });

  it("is one for each such file, in the order of the change", () => {
    const files = [file("src/cart.ts"), file("test/cart.test.ts"), file(".github/workflows/ci.yml")];
    expect(findSensitiveEdits(files).map(({ kind }) => kind)).toEqual(["tests", "ci"]);
  });
});
