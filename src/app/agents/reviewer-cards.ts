// Cards are kept beside the project's records, one file an agent, and never committed: what was measured here with one
// login and one version says little about another machine.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Card } from "../../core/measure/card.ts";
import { check } from "../../core/model/value/validate.ts";
import { parseJson } from "../../core/text/json.ts";

const getFolder = (repo: string) => join(repo, ".pairflow", "reviewers");
const isName = (agent: string) => /^[a-z][a-z0-9_.-]*$/i.test(agent);

/** The card of an agent, or undefined when it was never measured here (or its file is no card any more). */
export function readCard(repo: string, agent: string): Card | undefined {
  if (!isName(agent)) return undefined;
  try {
    const checked = check(Card, parseJson(readFileSync(join(getFolder(repo), `${agent}.json`), "utf8")));
    return checked.ok ? checked.value : undefined;
  } catch {
    return undefined;
  }
}

/** All cards, by name. */
export function readCards(repo: string): Card[] {
  if (!existsSync(getFolder(repo))) return [];
  const agents = readdirSync(getFolder(repo)).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
  return agents.sort().flatMap((agent) => readCard(repo, agent) ?? []);
}

/** Where a card was put, or why the one before it stays. */
export type CardStored = { readonly path: string } | { readonly not: string };

/** Keeps a card, unless that would take a better founded one away. */
export function keepCard(repo: string, card: Card): CardStored {
  const before = readCard(repo, card.agent);
  if (card.planted + card.controls === 0) return { not: "no review was valid" };
  if (!card.whole && before?.whole && before.cases === card.cases)
    return { not: "there is a card over all cases already" };
  const folder = getFolder(repo);
  mkdirSync(folder, { recursive: true });
  // Also where nobody ran `pairflow init`.
  writeFileSync(join(folder, ".gitignore"), "*\n");
  const path = join(folder, `${card.agent}.json`);
  writeFileSync(`${path}.new`, `${JSON.stringify(card, null, 2)}\n`);
  renameSync(`${path}.new`, path);
  return { path };
}
