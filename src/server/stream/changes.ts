// What has changed, told to every listener: keys of payloads, gathered for a moment, each message with a cursor from which
// a browser continues. A lost message costs nothing, since the page fetches whole payloads.

export interface Changes {
  /** Something about these keys is different now. */
  mark(...keys: string[]): void;
  /** Tells from the cursor on; an unknown or too old one is told that everything may have changed. */
  listen(since: string | undefined, send: (text: string) => void): () => void;
  readonly listeners: number;
  /** Called when somebody listens after a time when nobody did. */
  onHeard(call: () => void): void;
  close(): void;
}

interface Change {
  readonly id: number;
  readonly keys: readonly string[];
}

const gatherMs = 50;
const aliveMs = 10_000;
/** How many messages a browser may miss before it fetches everything again. */
const remembered = 500;

export function openChanges(start: string): Changes {
  const sends = new Set<(text: string) => void>();
  const heard: (() => void)[] = [];
  const past: Change[] = [];
  const waiting = new Set<string>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const change = { id: ++last, keys: [...waiting] };
    waiting.clear();
    past.push(change);
    if (past.length > remembered) past.shift();
    for (const send of sends) send(formatChange(start, change));
  };
  const alive = setInterval(() => {
    for (const send of sends) send("event: alive\ndata: {}\n\n");
  }, aliveMs);
  alive.unref();
  return {
    mark(...keys) {
      for (const key of keys) waiting.add(key);
      timer ??= setTimeout(flush, gatherMs);
    },
    listen(since, send) {
      const missed = listMissed(start, past, last, since);
      send(`retry: 1000\nid: ${start}-${last}\nevent: hello\ndata: {}\n\n`);
      for (const change of missed) send(formatChange(start, change));
      sends.add(send);
      if (sends.size === 1) for (const call of heard) call();
      return () => sends.delete(send);
    },
    get listeners() {
      return sends.size;
    },
    onHeard: (call) => void heard.push(call),
    close() {
      clearInterval(alive);
      clearTimeout(timer);
    },
  };
}

const formatChange = (start: string, { id, keys }: Change): string =>
  `id: ${start}-${id}\nevent: changed\ndata: ${JSON.stringify(keys)}\n\n`;

function listMissed(
  start: string,
  past: readonly Change[],
  last: number,
  since: string | undefined,
): readonly Change[] {
  const all = [{ id: last, keys: ["all"] }];
  if (!since) return [];
  const [from, number] = [
    since.slice(0, since.lastIndexOf("-")),
    Number(since.slice(since.lastIndexOf("-") + 1)),
  ];
  if (from !== start || !Number.isInteger(number) || number > last) return all;
  if (number < (past[0]?.id ?? last + 1) - 1 && number < last) return all;
  return past.filter(({ id }) => id > number);
}
