// Secrets in values: what is redacted is each text inside, never the JSON it becomes, so that no line loses its form.

type Redact = (text: string) => string;

/** The same value with every text in it redacted. Nothing is copied where nothing changes. */
export function redactLeaves<T>(value: T, redact: Redact): T {
  return redactLeaf(value, redact) as T;
}

function redactLeaf(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactLeaf(item, redact));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, inside] of Object.entries(value)) {
    const clean = redactLeaf(inside, redact);
    if (clean !== inside) changed = { ...(changed ?? value), [key]: clean };
  }
  return changed ?? value;
}

/** Where in a value secrets are, as dotted words such as agent.codex.command: for what must stay exact or be refused. */
export function findSecretPaths(value: unknown, redact: Redact, at: readonly string[] = []): string[] {
  if (typeof value === "string") return redact(value) === value ? [] : [at.join(".")];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => findSecretPaths(inside, redact, [...at, key]));
}
