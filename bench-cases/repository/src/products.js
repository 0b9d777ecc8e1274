// Queries for the table `products` of an SQLite database. A query is { sql, values }; the database puts the values
// where the ? are.

/** One product by its number. */
export function productById(id) {
  return { sql: "SELECT * FROM products WHERE id = ?", values: [id] };
}
