// Lists in pages. Pages are counted from 1.

/** The items on one page; empty behind the last one. */
export function pageOf(items, page, size) {
  const start = (page - 1) * size;
  return items.slice(start, start + size);
}

/** How many pages a list of that length fills. An empty list has one page, which is empty. */
export function pageCount(total, size) {
  return Math.max(1, Math.ceil(total / size));
}

/** The numbers of the links under a list: the page itself and up to two neighbours on either side. */
export function pageLinks(page, total, size) {
  const first = Math.max(1, page - 2);
  const last = Math.min(pageCount(total, size), page + 2);
  const links = [];
  for (let number = first; number <= last; number++) links.push(number);
  return links;
}
