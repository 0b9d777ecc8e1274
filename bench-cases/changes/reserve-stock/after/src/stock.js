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

/** Reservations on a store. */
export function reservations(store) {
  const last = new Map();

  /** Runs `work` when all earlier work on this article is done, whether it went well or not. */
  function inTurn(sku, work) {
    const before = last.get(sku) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(sku, mine);
    return mine;
  }

  return {
    /** Takes pieces out of stock; false, and nothing is taken, when there are not enough. */
    reserve(sku, pieces) {
      return inTurn(sku, async () => {
        const left = await store.read(sku);
        if (left < pieces) return false;
        await store.write(sku, left - pieces);
        return true;
      });
    },

    /** Puts pieces back. */
    release(sku, pieces) {
      return inTurn(sku, async () => store.write(sku, (await store.read(sku)) + pieces));
    },
  };
}
