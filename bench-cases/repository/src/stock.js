// How many pieces of each article there are. The store is asynchronous: { read(sku), write(sku, pieces) }. Only this
// process writes to it.

/** A store in memory, as slow as a real one. */
export function memoryStore(pieces) {
  const kept = new Map(Object.entries(pieces));
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  return {
    async read(sku) {
      await pause();
      return kept.get(sku) ?? 0;
    },
    async write(sku, left) {
      await pause();
      kept.set(sku, left);
    },
  };
}
