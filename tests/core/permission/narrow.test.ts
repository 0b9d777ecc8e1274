// The scope of a plan within that of its project: what both allow, and nothing else.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findScopeViolations } from "../../../src/core/permission/scope.ts";
import { intersectScopes } from "../../../src/core/permission/scope-intersection.ts";

const only = (...patterns: string[]) => ({ in: patterns, out: [] as string[], do_not_touch: [] as string[] });
const allows = (scope: ReturnType<typeof intersectScopes>, path: string) =>
  findScopeViolations([path], scope, []).length === 0;

const paths = [
  "a.ts",
  "README.md",
  "src/a.ts",
  "src/a,b.ts",
  "src",
  "src/cart/a.ts",
  "src/cart/deep/b.ts",
  "docs/a.md",
  "docs/deep/cart.ts",
  ".env",
  "x/cart.ts",
];

describe("a narrowed scope", () => {
  it.each<[string, string[], string[], object]>([
    ["the plan's where the project says nothing", [], ["src/**"], only("src/**")],
    ["the project's where the plan says nothing", ["src/**"], [], only("src/**")],
    [
      "the plan's where it lies within the project's",
      ["src/**", "docs/**"],
      ["src/cart/*.ts"],
      only("src/cart/*.ts"),
    ],
    ["the project's where that lies within the plan's", ["src/cart/**"], ["src/**"], only("src/cart/**")],
    [
      "both where neither lies within the other",
      ["src/**"],
      ["**/cart.ts"],
      { ...only("src/**"), also_in: [["**/cart.ts"]] },
    ],
    [
      "nothing where they do not meet",
      ["src/**"],
      ["docs/**"],
      { ...only("src/**"), also_in: [["docs/**"]] },
    ],
  ])("is %s", (_what, own, plan, expected) => {
    expect(intersectScopes(only(...own), only(...plan))).toEqual(expected);
  });

  it("is not wide because a pattern looks like a path of the project's", () => {
    const scope = intersectScopes(only("src/*"), only("src/**"));
    expect(allows(scope, "src/a.ts")).toBe(true);
    expect(allows(scope, "src/cart/a.ts")).toBe(false);
    expect(allows(intersectScopes(only("*/cart.ts"), only("**/cart.ts")), "docs/deep/cart.ts")).toBe(false);
  });

  it("keeps all that one of them forbids", () => {
    const own = { in: [], out: ["dist/**"], do_not_touch: [".env"] };
    const plan = { in: ["src/**"], out: ["dist/**", "docs/**"], do_not_touch: ["README.md"] };
    expect(intersectScopes(own, plan)).toEqual({
      in: ["src/**"],
      out: ["dist/**", "docs/**"],
      do_not_touch: [".env", "README.md"],
    });
    expect(intersectScopes(own, undefined)).toEqual(own);
  });

  it("of a narrowed scope is still what all allow", () => {
    const twice = intersectScopes(intersectScopes(only("src/**"), only("**/a.ts")), only("**/cart/**"));
    expect(paths.filter((path) => allows(twice, path))).toEqual(["src/cart/a.ts"]);
  });

  it("takes no top-level file away by the brackets of its list", () => {
    const scope = intersectScopes(only("**/*.ts", "src/**"), only("**/*.ts", "docs/**"));
    expect(paths.filter((path) => allows(scope, path))).toContain("a.ts");
  });

  it("allows what both allow, whatever they say", () => {
    const pattern = fc.constantFrom(
      "**",
      "src/**",
      "src/*",
      "src/*.ts",
      "src/cart/**",
      "**/*.ts",
      "*/cart.ts",
      "src/**/a.ts",
      "src/**/**",
      "**/cart.ts",
      "docs/**",
      "{src,docs}/**",
      "src/a,b.ts",
      "(src)/**",
      "*.md",
      ".env",
      "src/{cart,a}*/**",
    );
    const list = fc.array(pattern, { maxLength: 3 });
    fc.assert(
      fc.property(list, list, fc.constantFrom(...paths), (own, plan, path) => {
        const both = allows(only(...own), path) && allows(only(...plan), path);
        expect(allows(intersectScopes(only(...own), only(...plan)), path)).toBe(both);
      }),
      { numRuns: 3000 },
    );
  });

  it("allows what both allow where a pattern is a negation or has more words", () => {
    const pattern = fc.constantFrom(
      "!docs/**",
      "!src/*",
      "src/x|docs/**",
      "src/@(a|cart)*/**",
      "src/**",
      "**/cart.ts",
    );
    const list = fc.array(pattern, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(list, list, fc.constantFrom(...paths), (own, plan, path) => {
        const both = allows(only(...own), path) && allows(only(...plan), path);
        expect(allows(intersectScopes(only(...own), only(...plan)), path)).toBe(both);
      }),
    );
  });
});
