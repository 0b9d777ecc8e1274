// Scenes 2 to 4 of docs/first-hour.md, played as they are typed; --yes stands where a person presses Enter.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;

beforeAll(() => {
  shop = openShop();
  writeFileSync(join(shop.repo, "package.json"), '{"scripts":{"test":"node --test"}}');
  shop.git("config", "user.name", "Ada");
  shop.git("config", "user.email", "ada@localhost");
  shop.git("add", "-A");
  shop.git("commit", "-qm", "Start");
});
afterAll(() => shop.close());

it("a folder says what to do, is looked at without a change, and is prepared by one command each", () => {
  expect(shop.run().stdout).toContain("next");
  expect(shop.run("init", "--dry-run").stdout).toContain("test  required  npm run test");
  expect(shop.git("status", "--porcelain")).toBe("");
  expect(shop.run("init", "--yes").stdout).toContain("committed .gitignore and .pairflow/config.yaml");
});
