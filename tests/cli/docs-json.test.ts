// docs/json.md and its JSON Schema: true of what commands really print, and one key for one thing. That the schema is what the
// types say is a step of `npm run check`, since reading all types takes its time.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { renderJsonPage } from "../../scripts/docs/json-page.mjs";
import { jsonVersion } from "../../src/cli/verb/run.ts";
import { finding } from "../helpers/play.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

interface Form {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Form>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Form;
  readonly items?: Form;
  readonly anyOf?: readonly Form[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
}

const root = resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(resolve(root, "docs", name), "utf8");
const schema = JSON.parse(read("json.schema.json"));
const commands: Readonly<Record<string, Form>> = schema.commands;

const resolveForm = (form: Form): Form =>
  form.$ref ? schema.$defs[form.$ref.split("/").at(-1) ?? ""] : form;

/** What of a value is not in its form. */
function listMisfits(given: Form, value: unknown, path = "$"): string[] {
  const form = resolveForm(given);
  if (form.anyOf) {
    const each = form.anyOf.map((one) => listMisfits(one, value, path));
    return each.some((found) => found.length === 0) ? [] : (each[0] ?? []);
  }
  if (form.enum) return form.enum.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (form.type !== undefined && form.type !== type) return [`${path} is ${type}, not ${form.type}`];
  if (Array.isArray(value))
    return value.flatMap((one, i) => listMisfits(form.items ?? {}, one, `${path}[${i}]`));
  return type === "object" && form.type ? listInside(form, value as Record<string, unknown>, path) : [];
}

function listInside(form: Form, value: Record<string, unknown>, path: string): string[] {
  const lacking = (form.required ?? []).filter((name) => !(name in value));
  const inside = Object.entries(value).flatMap(([name, one]) => {
    const known = form.properties?.[name] ?? form.additionalProperties;
    return known ? listMisfits(known, one, `${path}.${name}`) : [`${path}.${name} is in no form`];
  });
  return [...lacking.map((name) => `${path}.${name} is absent`), ...inside];
}

it("docs/json.md is the schema, as `npm run docs` writes it", () => {
  expect(schema.version).toBe(jsonVersion);
  expect(
    renderJsonPage(schema) === read("json.md"),
    "json.md is old; write it again with: npm run docs",
  ).toBe(true);
});

it("names a bubble `bubble` in every answer, at the top and in lists of bubbles", () => {
  // The program of a workflow is the documented workflow language.
  const answers = Object.entries(commands).filter(([words]) => words !== "workflow show");
  const tops = answers.flatMap(([words, form]) =>
    [form, ...(form.anyOf ?? [])].map((one) => [words, resolveForm(one)] as const),
  );
  expect(tops.filter(([, { properties = {} }]) => "id" in properties).map(([words]) => words)).toEqual([]);
  expect(JSON.stringify(commands) + JSON.stringify(schema.$defs)).not.toContain("bubble_id");
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
      listMisfits(schema.error, JSON.parse(shop.run("bubble", "status", "--id", "none", "--json").stdout)),
    ).toEqual([]);
    expect(shop.json("--version")).toEqual({ version: expect.any(String), json_version: schema.version });
  });
});
