// Which constraints of a plan are rules and which are words, what the rules cover, and what agents are told.

import { describe, expect, it } from "vitest";
import { findScopeViolations } from "../../../src/core/permission/scope.ts";
import { parsePathWord, renderConstraints, sortConstraints } from "../../../src/core/plan/constraints.ts";
import { compileGlobs } from "../../../src/core/text/glob.ts";

describe("a path", () => {
  it.each([
    ["src/cart.ts", "src/cart.ts"],
    ["`src/cart.ts`", "src/cart.ts"],
    ["./src/", "src/"],
    ["/src/a", "src/a"],
    ["*.sql", "*.sql"],
    ["README.md", "README.md"],
    [".env", ".env"],
    ["infra/**", "infra/**"],
    ["src/app/[id]/page.tsx", "src/app/[id]/page.tsx"],
  ])("%s is one", (word, path) => {
    expect(parsePathWord(word)).toBe(path);
  });

  it.each([
    "authentication",
    "the checkout page",
    "files in src/",
    "v1.2",
    "e.g.",
    "https://example.com/x",
    "../other",
    "!src/**",
    "",
    "Makefile",
  ])("%s is none", (word) => {
    expect(parsePathWord(word)).toBeUndefined();
  });

  it("Makefile is one where there is a Makefile", () => {
    expect(parsePathWord("Makefile", ["Makefile"])).toBe("Makefile");
    expect(parsePathWord("src/", ["src"])).toBe("src/");
  });
});

describe("sorted", () => {
  const sorted = sortConstraints(
    {
      in: ["src/cart.ts", "`tests/**`", "only what the tax rules need", "src/a.ts, src/b.ts"],
      out: ["src/a.ts and others", "Makefile"],
      do_not_touch: ["infra/", "*.sql", "src/app/[id]/page.tsx", "vendor/lib", "the public API"],
    },
    ["Makefile"],
  );

  it("paths are rules, words stay words", () => {
    expect(sorted.prose).toEqual({
      in: ["only what the tax rules need"],
      out: ["src/a.ts and others"],
      do_not_touch: ["the public API"],
    });
    expect(sorted.paths.in).toEqual(["src/cart.ts", "tests/**", "src/a.ts", "src/b.ts"]);
    expect(sorted.scope.in).toEqual(["src/cart.ts", "tests/**", "src/a.ts", "src/b.ts"]);
  });

  it.each([
    ["infra/prod/main.tf", true],
    ["db/old/1.sql", true],
    ["1.sql", true],
    ["src/app/[id]/page.tsx", true],
    ["vendor/lib/x.c", true],
    ["vendor/lib", true],
    ["vendor/library.c", false],
    ["src/cart.ts", false],
  ])("the referee's own rule protects what is meant: %s %s", (path, isProtected) => {
    const problems = findScopeViolations(
      [path],
      { in: [], out: [], do_not_touch: sorted.scope.do_not_touch as string[] },
      [],
    );
    expect(problems.length > 0).toBe(isProtected);
    expect(compileGlobs(sorted.scope.do_not_touch)(path)).toBe(isProtected);
  });

  it("agents are told which of them no rule checks", () => {
    expect(renderConstraints({ in: ["src/**"], out: [], do_not_touch: ["the public API"] })).toBe(
      "- IN: src/**\n- DO NOT TOUCH: the public API (in words: no rule checks this; the reviewer does)",
    );
  });
});
