// Lists in pages. Pages are counted from 1.

/** The items on one page; empty behind the last one. */
export function pageOf(items, page, size) {
  const start = (page - 1) * size;
  return items.slice(start, start + size);
}
