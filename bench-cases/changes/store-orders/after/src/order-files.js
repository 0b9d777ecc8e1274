// Orders as JSON files, one folder a shop.
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where an order is kept. Ids are numbers, so they are safe in a path. */
export function orderPath(folder, id) {
  if (!Number.isSafeInteger(id) || id < 1) throw new Error(`no order id: ${id}`);
  return join(folder, `order-${id}.json`);
}

/** Stores an order. It resolves only when the whole order is in its place; until then the old one stays. */
export async function saveOrder(folder, order) {
  const path = orderPath(folder, order.id);
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(draft, JSON.stringify(order));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The stored order, or undefined when there is none. An order that cannot be read is an error. */
export async function loadOrder(folder, id) {
  const path = orderPath(folder, id);
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
