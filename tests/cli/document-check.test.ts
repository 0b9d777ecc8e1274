// pairflow document check: what the author of a document sees, and what its gates see.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

const examples = resolve(import.meta.dirname, "../../examples/documents");
let shop: Shop;
beforeEach(() => {
  shop = openShop();
  cpSync(examples, join(shop.repo, "docs"), { recursive: true });
});
afterEach(() => shop.close());

const check = (...args: string[]) => shop.session("document", "check", ...args);

it("a good document passes the four checks", () => {
  expect(check("docs/cart.md")).toMatchInlineSnapshot(`
    "
    ✓ completeness
    ✓ ambiguity
    ✓ consistency
    ✓ traceability
    "
  `);
});

it("a draft is told line by line what is wrong, check by check", () => {
  expect(check("docs/cart-draft.md")).toMatchInlineSnapshot(`
    "
    ✗ completeness: 2 problems
    docs/cart-draft.md:1: there is no section on rollout
      add a heading "Rollout" and what belongs under it
    docs/cart-draft.md:29: the section on risks says nothing yet
      write what is known, or say who decides what by when
    ✗ ambiguity: 5 problems
    docs/cart-draft.md:7: "etc" cannot be measured: Guest carts, wish lists, etc.
      name the rest, or end the list
    docs/cart-draft.md:16: "should be able to" cannot be measured: R1: A signed-in shopper should be able to see the cart on s…
      say what happens, as a fact that is true or false
    docs/cart-draft.md:16: "several" cannot be measured: …to see the cart on several devices.
      say how many, or name each one
    docs/cart-draft.md:17: "fast" cannot be measured: R2: The cart loads fast.
      say how fast: a time, and where or how it is measured (p95 below 200 ms)
    docs/cart-draft.md:27: "as expected" cannot be measured: AC4: Everything works as expected.
      say what is enough: a number, a limit, or the rule that decides
    ✗ consistency: 5 problems
    docs/cart-draft.md:11: "No sharing of carts" is among the non-goals, and in line 6 it is not
      keep it on one side, or say in both places which part is meant
    docs/cart-draft.md:19: R3 is already the id of line 18
      give one of them an id of its own, and look at what names it
    docs/cart-draft.md:25: "session timeout of 60 minutes" here, but "session timeout is 30 minutes" in line 18
      keep one value, or say in both places which case it is for
    docs/cart-draft.md:26: there is no R7 in this document
      define R7, or name the one that is meant
    docs/cart-draft.md:27: AC4 belongs to no requirement: AC4: Everything works as expected.
      name the requirement it proves: "AC1 (R1): …"
    ✗ traceability: 2 problems
    docs/cart-draft.md:17: R2 has no acceptance criterion
      name R2 in the criterion that proves it: "AC1 (R2): …"
    docs/cart-draft.md:20: the requirement has no id: Old carts are deleted.
      number it, so that a criterion can name it: R4
    Refused: docs/cart-draft.md fails completeness, ambiguity, consistency, traceability (document.problems)
    Hint: fix the lines above, or ask a human to waive a check by its name
    [exit 1]
    "
  `);
});

it("--check runs the named checks alone", () => {
  expect(check("docs/cart-draft.md", "--check", "traceability")).toMatchInlineSnapshot(`
    "
    ✗ traceability: 2 problems
    docs/cart-draft.md:17: R2 has no acceptance criterion
      name R2 in the criterion that proves it: "AC1 (R2): …"
    docs/cart-draft.md:20: the requirement has no id: Old carts are deleted.
      number it, so that a criterion can name it: R4
    Refused: docs/cart-draft.md fails traceability (document.problems)
    Hint: fix the lines above, or ask a human to waive a check by its name
    [exit 1]
    "
  `);
  expect(check("docs/cart.md", "--check", "ambiguity", "--check", "completeness")).toMatchInlineSnapshot(`
    "
    ✓ completeness
    ✓ ambiguity
    "
  `);
});

it("--json has the same problems as values", () => {
  const found = shop.json("document", "check", "docs/cart-draft.md", "--check", "completeness");
  expect(found).toMatchObject({
    ok: false,
    file: "docs/cart-draft.md",
    checks: [
      {
        name: "completeness",
        ok: false,
        problems: [{ line: 1 }, { line: 29, message: "the section on risks says nothing yet" }],
      },
    ],
    error: { kind: "refusal", code: "document.problems" },
  });
  expect(shop.json("document", "check", "docs/cart.md")).toMatchObject({
    ok: true,
    checks: [{ ok: true }, {}, {}, {}],
  });
});

it("reads the file of the current directory, not of the repository", () => {
  const inside = shop.runIn(join(shop.repo, "docs"), shop.env, "document", "check", "cart.md");
  expect(inside.code).toBe(0);
  expect(shop.run("document", "check", "cart.md").code).toBe(2);
});

it("control characters of a document do not reach the terminal", () => {
  writeFileSync(join(shop.repo, "docs/bell.md"), "## Requirements\n- R1: fast \u001b[31mred\u0007\n");
  const { stdout } = shop.run("document", "check", "docs/bell.md", "--check", "ambiguity");
  expect(stdout).toContain("docs/bell.md:2: ");
  for (const control of ["\u0007", "\u001b"]) expect(stdout).not.toContain(control);
});

it("what cannot be checked is a usage error", () => {
  mkdirSync(join(shop.repo, "folder"));
  writeFileSync(join(shop.repo, "image.md"), Buffer.from([80, 0, 1]));
  writeFileSync(join(shop.repo, "large.md"), "x".repeat(1_000_001));
  const codes = ["none.md", "docs/cart.md/x", "folder", "image.md", "large.md"].map((file) => {
    const { code, stdout } = shop.run("document", "check", file, "--json");
    return [code, JSON.parse(stdout).error.code];
  });
  expect(codes).toEqual([
    [2, "document.no-such-file"],
    [2, "document.no-such-file"],
    [2, "document.not-a-file"],
    [2, "document.not-text"],
    [2, "document.too-large"],
  ]);
  expect(check()).toMatchInlineSnapshot(`
    "
    Error: document check needs a file (document.no-file)
    Hint: pairflow document check docs/cart.md
    [exit 2]
    "
  `);
  expect(check("none.md")).toMatchInlineSnapshot(`
    "
    Error: there is no none.md here (document.no-such-file)
    Hint: check the path; it is taken from the current directory
    [exit 2]
    "
  `);
  expect(check("docs/cart.md", "docs/cart-draft.md")).toMatchInlineSnapshot(`
    "
    Error: document check takes one file, not also "docs/cart-draft.md" (usage.extra-word)
    Hint: pairflow document check --help
    [exit 2]
    "
  `);
  expect(check("docs/cart.md", "--check", "ambiguty")).toMatchInlineSnapshot(`
    "
    Error: --check ambiguty is unknown; did you mean ambiguity? (usage.bad-value)
    Hint: pairflow document check --help
    [exit 2]
    "
  `);
});
