// docs/json.md and its JSON Schema: true of what commands really print, and one key for one thing. That the schema is what the
// types say is a step of `npm run check`, since reading all types takes its time.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { renderJsonPage } from "../../scripts/docs/json-page.mjs";
import { jsonVersion } from "../../src/cli/verb/run.ts";
import { jsonSchema, listMisfits, resolveForm } from "../helpers/json-forms.ts";
import { finding } from "../helpers/play.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(resolve(root, "docs", name), "utf8");
const { commands } = jsonSchema;

it("docs/json.md is the schema, as `npm run docs` writes it", () => {
  expect(jsonSchema.version).toBe(jsonVersion);
  expect(
    renderJsonPage(jsonSchema) === read("json.md"),
    "json.md is old; write it again with: npm run docs",
  ).toBe(true);
});

it("spells keys in one way", () => {
  const keys = [...JSON.stringify(jsonSchema).matchAll(/"properties":(\{)/g)].length;
  const names = new Set<string>();
  const visit = (form: unknown): void => {
    if (typeof form !== "object" || form === null) return;
    const { properties } = form as { properties?: object };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const inner of Object.values(form)) visit(inner);
  };
  visit(jsonSchema.commands);
  visit(jsonSchema.$defs);
  expect([keys > 100, names.size > 300]).toEqual([true, true]);
  // Classes of mistakes are names, not keys.
  expect([...names].filter((name) => !/^[a-z][a-z0-9_]*$/.test(name)).sort()).toEqual([
    ...["dropped-check", "off-by-one", "swallowed-error"],
  ]);
});

it("names a bubble `bubble` in every answer, at the top and in lists of bubbles", () => {
  // The program of a workflow is the documented workflow language.
  const answers = Object.entries(commands).filter(([words]) => words !== "workflow show");
  const tops = answers.flatMap(([words, form]) =>
    [form, ...(form.anyOf ?? [])].map((one) => [words, resolveForm(one)] as const),
  );
  expect(tops.filter(([, { properties = {} }]) => "id" in properties).map(([words]) => words)).toEqual([]);
  expect(JSON.stringify(commands) + JSON.stringify(jsonSchema.$defs)).not.toContain("bubble_id");
  for (const words of ["home", "bubble list", "verify"]) {
    const row = resolveForm(commands[words]?.properties?.bubbles?.items ?? {});
    expect(Object.keys(row.properties ?? {}), words).toContain("bubble");
  }
});

describe("what commands print fits", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = openShop();
    const cart = await shop.bubble("fix-cart");
    await cart.starts();
    await cart.implements("tree-one-1111");
    await cart.reviews([finding]);
    const search = await shop.bubble("search-api", "Search by colour");
    await search.asksForApproval();
  });
  afterAll(() => shop.close());

  it.each([
    ["home", []],
    ["inbox", []],
    ["bubble list", []],
    ["bubble status", ["--id", "fix-cart"]],
    ["bubble status", ["--id", "search-api"]],
    ["bubble inbox", ["--id", "fix-cart"]],
    ["explain", ["--id", "fix-cart"]],
    ["verify", []],
    ["workflow list", []],
    ["plan list", []],
  ] as const)("pairflow %s --json", (words, flags) => {
    expect(listMisfits(commands[words] ?? {}, shop.json(...words.split(" "), ...flags))).toEqual([]);
  });

  it("an error, and the version that the forms have", () => {
    expect(
      listMisfits(
        jsonSchema.error,
        JSON.parse(shop.run("bubble", "status", "--id", "none", "--json").stdout),
      ),
    ).toEqual([]);
    expect(shop.json("--version")).toEqual({ version: expect.any(String), json_version: jsonSchema.version });
  });
});
