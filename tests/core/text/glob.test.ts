// Globs: what they match, the same as the library people know wherever that is right, and never slowly.
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { checkGlob, compileGlob, compileGlobs } from "../../../src/core/text/glob.ts";

const fits = (pattern: string, path: string) => compileGlob(pattern, { baseName: true })(path);

describe("a pattern without a slash looks at the file's own name", () => {
  it.each([
    ["*.go", "handlers/cart.go", true],
    ["*.go", "cart.go", true],
    ["*.go", "cart.gob", false],
    ["Makefile", "tools/Makefile", true],
    ["src", "src/a.ts", false],
    ["**", "a/b/c.txt", true],
    ["*.{ts,tsx}", "web/app.tsx", true],
    [".env*", "deploy/.env.local", true],
  ])("%s, %s: %s", (pattern, path, wanted) => {
    expect(fits(pattern, path)).toBe(wanted);
  });
});

describe("a pattern with a slash looks at the whole path from the top of the repository", () => {
  it.each([
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/a/b/c.ts", true],
    ["src/**/*.ts", "lib/src/a.ts", false],
    ["handlers/*.go", "handlers/cart.go", true],
    ["handlers/*.go", "handlers/v2/cart.go", false],
    ["**/migrations/**", "db/migrations/001.sql", true],
    ["**/migrations/**", "migrations/001.sql", true],
    ["src/**", "src/.hidden/a", true],
    ["src/!(*.test).ts", "src/a.ts", true],
    ["src/!(*.test).ts", "src/a.test.ts", false],
    ["app/\\[id\\]/page.tsx", "app/[id]/page.tsx", true],
  ])("%s, %s: %s", (pattern, path, wanted) => {
    expect(checkGlob(pattern)).toBeUndefined();
    expect(fits(pattern, path)).toBe(wanted);
  });
});

describe("a pattern that cannot be meant is refused", () => {
  it.each([
    ["", "is empty"],
    ["   ", "is empty"],
    [" *.ts", "begins or ends with a space"],
    ["!*.md", "begins with !"],
    ["/src/**", "from the top of the repository"],
    ["./src/**", "from the top of the repository"],
    ["C:/src/**", "from the top of the repository"],
    ["../other/**", "leaves the repository"],
    ["src/../../x", "leaves the repository"],
    ["src/", "write src/** for all that is in it"],
    ["src\\cart.ts", "has a backslash"],
    ["src/[ab.ts", "is no pattern"],
    ["src/(a.ts", "is no pattern"],
    ["src/{a,b", "is never closed"],
    ["x".repeat(401), "more than 400 characters"],
  ])("%j %s", (pattern, why) => {
    expect(checkGlob(pattern)).toContain(why);
  });
});

describe("signs", () => {
  it.each([
    ["a/**", "a", true],
    ["a/**", "a/.b/c", true],
    ["a/**", "ab", false],
    ["*/**", "a", false],
    ["*/**", "a/b", true],
    ["**/a", "x/y/a", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a**b", "a/b", false],
    ["a/**b", "a/x/b", false],
    ["**.ts", "x/y/a.ts", true],
    ["{a,b/c}.ts", "b/c.ts", true],
    ["{a,{b,c}}d", "cd", true],
    ["{,a}b", "b", true],
    ["{a/**,b}", "a/x/y", true],
    ["{1..12}", "7", true],
    ["{1..12}", "13", false],
    ["{08..11}", "09", true],
    ["{a}", "{a}", true],
    ["[!a]c", "bc", true],
    ["[!a]c", "ac", false],
    ["[a-c]x", "bx", true],
    ["[[:digit:]]", "7", true],
    ["a?c", "a/c", false],
    ["?", "😀", true],
    ["[!a]", "😀", true],
    ["@(a|b)c", "bc", true],
    ["+(ab)", "abab", true],
    ["*(a|b)c", "c", true],
    ["?(a)b", "ab", true],
    ["!(gen)/**", "src/a.ts", true],
    ["!(gen)/**", "gen/a.ts", false],
    ["!(a|b).ts", "c.ts", true],
    ["!(a|b).ts", "b.ts", false],
    ["\\*a", "*a", true],
    ["\\*a", "xa", false],
    ["app/[id]/page.ts", "app/[id]/page.ts", true],
    ["app/[id]/**", "app/[id]/page.ts", true],
    ["app/(shop)/**", "app/(shop)/page.ts", true],
    ["./a/*", "a/b", true],
    ["!a/**", "b", true],
    ["!a/**", "a/b", false],
    ["!!a", "a", true],
    ["a{b", "a{b", true],
    ["größe/*.ts", "größe/a.ts", true],
  ])("%s, %s: %s", (pattern, path, wanted) => {
    expect(compileGlob(pattern)(path)).toBe(wanted);
  });

  it("case can be left out of account", () => {
    expect(compileGlob("**/readme.md", { ignoreCase: true })("docs/README.md")).toBe(true);
    expect(compileGlob("**/[a-c].md", { ignoreCase: true })("B.md")).toBe(true);
  });

  it("no pattern matches nothing", () => {
    expect(compileGlobs([])("a")).toBe(false);
  });
});

it("agrees with picomatch on what both understand alike", () => {
  const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.{1,2}$/.test(text));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const sign = fc.constantFrom("a", "b", ".", "*", "?", "{a,b}", "@(a|ab)");
  const part = fc.oneof(
    fc.constant("**"),
    // Where stars meet stars or another sign the library differs by accident.
    fc
      .array(sign, { minLength: 1, maxLength: 4 })
      .map((signs) => signs.join(""))
      .filter((text) => !/\*[*?@{]|[)}][*?]|^\.{1,2}$/.test(text)),
  );
  const glob = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(glob, path, (pattern, text) => {
      expect(compileGlob(pattern)(text), `${pattern} on ${text}`).toBe(
        picomatch.isMatch(text, pattern, { dot: true }),
      );
    }),
    { numRuns: 1000 },
  );
});
