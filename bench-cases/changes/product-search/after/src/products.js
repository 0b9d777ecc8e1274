// Queries for the table `products` of an SQLite database. A query is { sql, values }; the database puts the values
// where the ? are.

/** The columns a list can be sorted by. */
const sortable = ["name", "price", "added_at"];

/** One product by its number. */
export function productById(id) {
  return { sql: "SELECT * FROM products WHERE id = ?", values: [id] };
}

/** The products whose name contains a text that somebody typed, sorted as they asked for. */
export function searchProducts({ text, sort = "name", limit = 20 }) {
  if (!sortable.includes(sort)) throw new Error(`products cannot be sorted by ${sort}`);
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const where = "name LIKE ? ESCAPE '\\'";
  return {
    sql: `SELECT * FROM products WHERE ${where} ORDER BY ${sort} LIMIT ?`,
    values: [pattern, limit],
  };
}
