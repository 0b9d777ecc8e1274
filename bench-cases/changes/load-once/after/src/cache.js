// Values that are costly to get, kept in memory by key.

export class Cache {
  #values = new Map();
  #loading = new Map();

  get(key) {
    return this.#values.get(key);
  }

  set(key, value) {
    this.#loading.delete(key);
    this.#values.set(key, value);
  }

  delete(key) {
    this.#loading.delete(key);
    this.#values.delete(key);
  }

  /** The kept value, or what `load(key)` resolves to, which is then kept. Nobody loads a key while another one does. */
  getOrLoad(key, load) {
    if (this.#values.has(key)) return Promise.resolve(this.#values.get(key));
    const running = this.#loading.get(key);
    if (running) return running;
    const isCurrent = () => this.#loading.get(key) === loading;
    const loading = Promise.resolve(key)
      .then(load)
      .then((value) => {
        // Deleted or set in the meantime: what was loaded is older than that.
        if (isCurrent()) this.#values.set(key, value);
        return value;
      })
      .finally(() => {
        if (isCurrent()) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }
}
