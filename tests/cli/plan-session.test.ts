// The session of docs/plans.md: from an idea to its tasks, and what is refused when the plan is edited on both sides or after it counts.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";
import { expectShown } from "../helpers/shown.ts";

let shop: Shop;
beforeAll(() => {
  shop = openShop();
});
afterAll(() => shop.close());

const page = readFileSync(resolve(import.meta.dirname, "../../docs/plans.md"), "utf8");
const [, written = ""] = /```markdown\n(# Plan: Add discounts\n[\s\S]*?)```/.exec(page) ?? [];

it("plays as the page shows it", () => {
  const explored = shop.run("explore", "Add discounts", "--no-agent");
  expectShown("docs/plans.md", '$ pairflow explore "Add discounts"', explored);
  const file = (name: string) => join(shop.repo, ".pairflow", "plans", "add-discounts", name);
  writeFileSync(file("plan.md"), written);
  expect(shop.run("plan", "show", "add-discounts").code).toBe(0);

  writeFileSync(file("plan.md"), written.replace("Customers", "Regulars"));
  const json = readFileSync(file("plan.json"), "utf8");
  writeFileSync(file("plan.json"), json.replace("Customers", "Friends"));
  const twice = shop.run("promote", "add-discounts");
  expectShown("docs/plans.md", "Refused: plan.json and plan.md of add-discounts were both edited", twice);
  expect(shop.run("plan", "edit", "add-discounts", "--use", "md").code).toBe(0);
  writeFileSync(file("plan.md"), written);

  expectShown("docs/plans.md", "$ pairflow promote", shop.run("promote"));
  expectShown("docs/plans.md", "$ pairflow tasks", shop.run("tasks", "add-discounts", "--yes"));
  writeFileSync(file("plan.md"), written.replace("Use the rule", "Use it"));
  const changed = shop.run("execute", "add-discounts", "--test", "true");
  expectShown("docs/plans.md", "Refused: the plan add-discounts is committed and does not change", changed);
});
