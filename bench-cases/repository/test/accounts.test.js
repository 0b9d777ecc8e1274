import assert from "node:assert/strict";
import { test } from "node:test";
import { accountOf, openAccount } from "../src/accounts.js";

test("a new account is empty", () => {
  const accounts = new Map();
  openAccount(accounts, "a1", "ida");
  assert.equal(accountOf(accounts, "a1").balance, 0);
});
