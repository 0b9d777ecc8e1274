// The words around a quantity, as data: units and how they compare, nouns that name a quantity, and what may stand
// between the noun and its value.

const list = (words: string) => new Set(words.trim().split(/\s+/));

export interface Quantity {
  /** In lower case. */
  readonly text: string;
  readonly value: number | undefined;
  readonly start: number;
  readonly end: number;
  /** A comma or bracket stands between it and the word before. */
  readonly afterBreak: boolean;
}

export const nouns =
  list(`timeout time-out ttl limit maximum minimum cap quota threshold interval retention expiry expiration lifetime duration
  delay latency budget size length window period capacity age rate deadline throughput price fee time cooldown`);

/** Words before a noun that do not make it a thing of its own. */
export const generic = list(
  "default maximum minimum max min total overall fixed hard soft upper lower allowed configured same given",
);

export const connectors =
  list(`of is are was be = : to set at most least than less more no not up below under above over exceeds exceed within must
  shall should will may can has have exactly a an the by default maximum minimum max min only stays remains lasts takes equals <  > <= >= ≤ ≥ it its and`);

/** Which way a connector binds; what has none is an exact value. */
export const bounds = new Map<string, string>(
  Object.entries({
    most: "at most",
    less: "at most",
    below: "at most",
    under: "at most",
    within: "at most",
    up: "at most",
    exceed: "at most",
    "<": "at most",
    "<=": "at most",
    "≤": "at most",
    max: "at most",
    maximum: "at most",
    least: "at least",
    above: "at least",
    over: "at least",
    exceeds: "at least",
    minimum: "at least",
    min: "at least",
    ">": "at least",
    ">=": "at least",
    "≥": "at least",
  }),
);

/** Words that begin a circumstance. */
export const conditions =
  list(`for when if while during unless except per on in after before until from otherwise instead where whenever once else
  first second third initial initially later then with without`);

const units: Readonly<Record<string, readonly [string, number]>> = {
  ...measure("s", {
    ms: 0.001,
    millisecond: 0.001,
    s: 1,
    sec: 1,
    second: 1,
    min: 60,
    minute: 60,
    h: 3600,
    hr: 3600,
    hour: 3600,
    d: 86400,
    day: 86400,
    week: 604800,
  }),
  ...measure("byte", {
    b: 1,
    byte: 1,
    kb: 1e3,
    mb: 1e6,
    gb: 1e9,
    tb: 1e12,
    kib: 1024,
    mib: 1048576,
    gib: 1073741824,
  }),
  ...measure("%", { "%": 1, percent: 1 }),
  ...measure("month", { month: 1, year: 12 }),
  ...measure("euro", { eur: 1, euro: 1, "€": 1 }),
  ...measure("dollar", { usd: 1, dollar: 1, $: 1 }),
  ...measure("character", { character: 1, char: 1 }),
  ...measure("item", { item: 1, line: 1, entry: 1, entries: 1 }),
  ...measure("request", { request: 1, rps: 1 }),
  ...measure("attempt", { attempt: 1, retry: 1, retries: 1, try: 1, tries: 1 }),
  ...measure("pixel", { px: 1, pixel: 1 }),
};

function measure(
  name: string,
  factors: Readonly<Record<string, number>>,
): Record<string, readonly [string, number]> {
  const plural = (word: string) => (word.length > 3 && !word.endsWith("s") ? [word, `${word}s`] : [word]);
  return Object.fromEntries(
    Object.entries(factors).flatMap(([word, factor]) =>
      plural(word).map((form) => [form, [name, factor] as const]),
    ),
  );
}

/** Words, numbers and signs of comparison, in lower case. A number stuck to its unit becomes two. */
export function tokenizeQuantities(text: string): Quantity[] {
  const tokens: Quantity[] = [];
  let end = 0;
  for (const match of text.matchAll(
    /\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{N}]*(?:-\p{L}[\p{L}\p{N}]*)*|<=|>=|[<>≤≥=:%€$]/gu,
  )) {
    const word = match[0].toLowerCase();
    const value = /^\d/.test(word) ? parseNumber(word) : undefined;
    const between = text.slice(end, match.index);
    end = match.index + word.length;
    tokens.push({ text: word, value, start: match.index, end, afterBreak: /[,()[\]–—|]/.test(between) });
  }
  return tokens;
}

/** "1,000" is a thousand; "0.5" is a half; what could be either is read as people here write it. */
function parseNumber(text: string): number {
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replace(/,/g, "") : text.replace(",", ".");
  const value = Number(plain);
  return Number.isFinite(value) ? value : Number.parseFloat(plain);
}

export interface Unit {
  readonly name: string;
  readonly factor: number;
  /** How many tokens value and unit are. */
  readonly length: number;
}

/** The unit of the number at a place, behind it or, for money, before it. */
export function findUnit(tokens: readonly Quantity[], at: number): Unit | undefined {
  const next = tokens[at + 1];
  const behind = next && !next.afterBreak ? units[next.text] : undefined;
  if (behind && Object.hasOwn(units, next?.text ?? ""))
    return { name: behind[0], factor: behind[1], length: 2 };
  const money = units[tokens[at - 1]?.text ?? ""];
  return money && ["€", "$"].includes(tokens[at - 1]?.text ?? "")
    ? { name: money[0], factor: 1, length: 1 }
    : undefined;
}
