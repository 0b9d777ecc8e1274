// The file that the sample reviews are about, its acceptance criteria, and places in it that can be quoted.

export const cartFile = "src/cart.ts";

export const cartText = `// Totals of a shopping cart, in cents.
export interface Item {
  readonly sku: string;
  readonly cents: number;
  readonly count: number;
}

export interface Discount {
  readonly percent: number;
}

export class BadItem extends Error {}

/** The sum of all items before discount and tax. */
export function netOf(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    if (!Number.isInteger(item.count) || item.count < 1) throw new BadItem(\`count of "\${item.sku}"\`);
    if (!Number.isInteger(item.cents) || item.cents < 0) throw new BadItem(\`price of "\${item.sku}"\`);
    sum += item.cents * item.count;
  }
  return sum;
}

/** What is left after the discount, never below zero. */
export function discounted(net: number, discount?: Discount): number {
  if (!discount) return net;
  const off = Math.round((net * discount.percent) / 100);
  return Math.max(0, net - off);
}

/** What the customer pays: the discount comes before the tax. */
export function totalOf(items: readonly Item[], taxRate: number, discount?: Discount): number {
  const net = discounted(netOf(items), discount);
  const tax = Math.round(net * taxRate);
  return net + tax;
}
`;

export const cartCriteria: readonly string[] = [
  "The discount is taken off before the tax is added",
  "An item with a count below one is refused",
  "The total of an empty cart is zero",
];

/** Stands for the id of the tree under review; whoever plays a sample puts the real one in its place. */
export const TREE = "@tree@";

const lines = cartText.split("\n");

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly quote: string;
}

/** The line with these words: its number, and its text. */
export function placeOf(words: string): Place {
  const at = lines.findIndex((line) => line.includes(words));
  if (at < 0) throw new Error(`src/cart.ts does not say ${words}`);
  return { file: cartFile, line: at + 1, quote: lines[at]?.trim() ?? "" };
}

export const places = {
  item: placeOf("readonly cents"),
  bad: placeOf("class BadItem"),
  start: placeOf("let sum"),
  count: placeOf("item.count < 1"),
  price: placeOf("item.cents < 0"),
  sum: placeOf("sum +="),
  none: placeOf("if (!discount)"),
  off: placeOf("const off"),
  floor: placeOf("Math.max"),
  net: placeOf("const net"),
  tax: placeOf("const tax"),
  total: placeOf("return net + tax"),
} as const;
