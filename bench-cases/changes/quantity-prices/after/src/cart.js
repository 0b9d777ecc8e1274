// What a cart costs. A line is { price, quantity }, the price in cents for one piece.

/** Discounts for many pieces of one article, the greatest quantity first. */
const tiers = [
  { from: 50, percent: 10 },
  { from: 10, percent: 5 },
];

/** The sum of all lines. */
export function subtotal(lines) {
  return lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}

/** What a line costs with its discount, rounded to whole cents. */
export function linePrice({ price, quantity }) {
  const tier = tiers.find(({ from }) => quantity >= from);
  return Math.round((price * quantity * (100 - (tier?.percent ?? 0))) / 100);
}

/** How many pieces are free when every third one is. */
export function freePieces(quantity) {
  return Math.floor(quantity / 3);
}
