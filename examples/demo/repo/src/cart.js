/** The price of a cart in cents: items, minus the discount in percent, plus tax in percent. */
export function total(items, { discount = 0, tax = 0 } = {}) {
  let sum = 0;
  for (const item of items) sum += item.price * item.quantity;
  const taxed = sum + (sum * tax) / 100;
  return Math.round(taxed);
}
