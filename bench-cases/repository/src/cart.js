// What a cart costs. A line is { price, quantity }, the price in cents for one piece.

/** The sum of all lines. */
export function subtotal(lines) {
  return lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
