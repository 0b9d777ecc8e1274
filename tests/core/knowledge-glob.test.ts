// Patterns: what they match, and which ones are refused because they could never match or would take too long.
import { describe, expect, it } from "vitest";
import { compileGlob, globProblem } from "../../src/core/knowledge/glob.ts";

const fits = (pattern: string, path: string) => compileGlob(pattern)(path);

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
    expect(globProblem(pattern)).toBeUndefined();
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
    ["*a*a*a*b", "more than three *"],
    ["**/a/**/b/**/c/**", "more than three **"],
    ["x".repeat(401), "more than 400 characters"],
  ])("%j %s", (pattern, why) => {
    expect(globProblem(pattern)).toContain(why);
  });
});

it("what is let through answers at once, even for names made to be slow", () => {
  const slow = ["*a*a*b", "**/a/**/b/**/c", "**/*a*/**/*a*b", "+(a|aa)b", "*(a)+(a)b", "@(+(a)|b)+(a)c"];
  const names = [`${"a".repeat(250)}c`, `${"a/".repeat(400)}c`, `${"a/".repeat(300)}${"a".repeat(200)}`];
  for (const pattern of slow.filter((one) => globProblem(one) === undefined)) {
    const matches = compileGlob(pattern);
    for (const name of names) {
      const from = performance.now();
      matches(name);
      expect(performance.now() - from, `${pattern} on ${name.slice(0, 20)}…`).toBeLessThan(1500);
    }
  }
});
