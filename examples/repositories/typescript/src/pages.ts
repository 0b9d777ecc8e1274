/** How many pages a list of `items` has, `size` items each. */
export function countPages(items: number, size: number): number {
  return Math.floor(items / size);
}
