// Orders as JSON files, one folder a shop.
import { join } from "node:path";

/** Where an order is kept. Ids are numbers, so they are safe in a path. */
export function orderPath(folder, id) {
  if (!Number.isSafeInteger(id) || id < 1) throw new Error(`no order id: ${id}`);
  return join(folder, `order-${id}.json`);
}
