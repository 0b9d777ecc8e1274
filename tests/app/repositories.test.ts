// The list of a user's repositories: kept outside of them, once each, with names that stay.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listKnownRepositories, rememberRepository } from "../../src/app/host/repositories/list.ts";

let folder: string;
let env: { PAIRFLOW_HOME: string };
const repository = (...path: string[]) => {
  const repo = join(folder, ...path);
  mkdirSync(join(repo, ".git"), { recursive: true });
  return repo;
};
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "pairflow-list-")));
  env = { PAIRFLOW_HOME: join(folder, "user") };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is empty before anything was used", () => {
  expect(listKnownRepositories(env)).toEqual([]);
});

it("names each repository once; of two with one name the first keeps it", () => {
  const [shop, other, api] = [repository("a", "shop"), repository("b", "shop"), repository("api")];
  for (const repo of [shop, other, api, shop]) rememberRepository(repo, env);
  expect(listKnownRepositories(env)).toEqual([
    { name: "shop", path: shop },
    { name: expect.stringMatching(/^shop-[0-9a-f]{4}$/), path: other },
    { name: "api", path: api },
  ]);
});

it("leaves out what is gone, without giving its name away", () => {
  const [shop, other] = [repository("a", "shop"), repository("b", "shop")];
  rememberRepository(shop, env);
  rememberRepository(other, env);
  rmSync(shop, { recursive: true });
  expect(listKnownRepositories(env)).toEqual([{ name: expect.stringMatching(/^shop-/), path: other }]);
});

it("is for its owner alone", () => {
  rememberRepository(repository("shop"), env);
  expect(statSync(join(env.PAIRFLOW_HOME, "repositories")).mode & 0o777).toBe(0o600);
});
