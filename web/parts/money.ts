// Money and tokens as in the terminal.
export const dollars = (usd: number): string => `$${usd.toFixed(2)}`;

export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}
