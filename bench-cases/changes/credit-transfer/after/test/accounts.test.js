import assert from "node:assert/strict";
import { test } from "node:test";
import { accountOf, openAccount, transfer } from "../src/accounts.js";

function two() {
  const accounts = new Map();
  openAccount(accounts, "a1", "ida");
  openAccount(accounts, "b1", "bo");
  accountOf(accounts, "a1").balance = 500;
  return accounts;
}

test("a new account is empty", () => {
  assert.equal(accountOf(two(), "b1").balance, 0);
});

test("a transfer moves the credit", () => {
  const accounts = two();
  transfer(accounts, { from: "a1", to: "b1", amount: 200 }, "ida");
  assert.equal(accountOf(accounts, "a1").balance, 300);
  assert.equal(accountOf(accounts, "b1").balance, 200);
});

test("more than there is cannot be moved", () => {
  assert.throws(() => transfer(two(), { from: "a1", to: "b1", amount: 501 }, "ida"), /not enough/);
});
