// Values that are costly to get, kept in memory by key.

export class Cache {
  #values = new Map();

  get(key) {
    return this.#values.get(key);
  }

  set(key, value) {
    this.#values.set(key, value);
  }

  delete(key) {
    this.#values.delete(key);
  }
}
