// The payload of home, read from every registered repository, and how much waits in all. A repository that cannot be read does not
// hide the others.

import { setTimeout as sleep } from "node:timers/promises";
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { listUncommittedPlans } from "../../app/plans/uncommitted.ts";
import { loadState, readStatus } from "../../app/record/bubble.ts";
import { hasEnded, type ListedBubble, listBubbles } from "../../app/record/listing.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { addConventionItems } from "../../app/world/conventions.ts";
import { getLastRound } from "../../core/views/bubble/run.ts";
import {
  buildPageItem,
  buildPageItems,
  buildWorkingRow,
  type InboxPage,
} from "../../core/views/page/inbox.ts";
import type { HeaderPage } from "../../core/views/page/payload.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import type { Grants } from "../commands/grants.ts";
import type { Notes } from "../session/notes.ts";

type Part = Pick<InboxPage, "items" | "works" | "silent" | "plans" | "problems" | "bubbles">;

export interface InboxDependencies {
  readonly notes: Notes;
  readonly grants: Grants;
}

export async function readInbox(
  repositories: readonly KnownRepository[],
  { notes, grants }: InboxDependencies,
): Promise<Omit<InboxPage, "words">> {
  const parts = await Promise.all(repositories.map((repository) => readPart(repository, grants)));
  const all = <K extends keyof Part>(key: K): Part[K][] => parts.map((part) => part[key]);
  const items = all("items").flat().sort(compareByAge);
  const paths = new Map(repositories.map(({ name, path }) => [name, path]));
  const drafts = items.flatMap(({ repo, bubble, id }) => {
    const draft = bubble === null ? undefined : notes.read(paths.get(repo) ?? "", bubble).drafts[id];
    return draft ? [[`${repo}/${bubble}/${id}`, draft]] : [];
  });
  return {
    page: "inbox",
    repositories: repositories.map(({ name }) => name),
    waiting: items.length,
    items,
    drafts: Object.fromEntries(drafts),
    works: all("works").flat(),
    silent: all("silent").flat(),
    plans: all("plans").flat(),
    problems: all("problems").flat(),
    bubbles: all("bubbles").reduce((sum, count) => sum + count, 0),
  };
}

/** As many as the inbox has items, without reading a log. */
export async function readHeader(
  repositories: readonly KnownRepository[],
): Promise<Omit<HeaderPage, "words">> {
  const counts = await Promise.all(repositories.map(({ path }) => countSoon(path)));
  return {
    page: "header",
    repositories: repositories.map(({ name }) => name),
    waiting: counts.reduce((sum, count) => sum + count, 0),
  };
}

/** All tabs ask at the same moment: they are counted for together, and what was counted was read after each had asked. */
const togetherMs = 20;
const counting = new Map<string, Promise<number>>();

function countSoon(path: string): Promise<number> {
  const known = counting.get(path);
  if (known) return known;
  const count = sleep(togetherMs).then(() => {
    counting.delete(path);
    return countWaiting(path);
  });
  counting.set(path, count);
  return count;
}

async function countWaiting(path: string): Promise<number> {
  const bubbles = await listBubbles(createRecordWorld(path));
  const asked = bubbles.reduce((sum, { summary }) => sum + (summary?.inbox ?? 0), 0);
  return asked + (await addConventionItems(path, [])).length;
}

const compareByAge = (a: { at: string }, b: { at: string }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : 0;

async function readPart({ name, path }: KnownRepository, grants: Grants): Promise<Part> {
  const world = createRecordWorld(path);
  const bubbles = await listBubbles(world);
  const active = await listActiveRows(world, name, bubbles);
  const projects = await addConventionItems(path, []);
  const terminal = grants.hasTerminal
    ? { about: (subject: string, digest: string) => grants.about(path, subject, digest) }
    : undefined;
  return {
    items: [
      ...(await listAskedIn(world, name, bubbles)),
      ...projects.map((item) => buildPageItem(name, item, { terminal })),
    ],
    works: active.filter(({ silent }) => silent === null),
    silent: active.filter(({ silent }) => silent !== null),
    plans: listUncommittedPlans(path).map((plan) => ({ repo: name, ...plan })),
    problems: bubbles.flatMap(({ id, problem }) =>
      problem
        ? [{ repo: name, bubble: id, problem, command: `pairflow verify --id ${id} --repo ${path}` }]
        : [],
    ),
    bubbles: bubbles.length,
  };
}

async function listAskedIn(world: RecordWorld, repo: string, bubbles: readonly ListedBubble[]) {
  const asking = bubbles.filter(({ summary }) => (summary?.inbox ?? 0) > 0);
  const states = await Promise.all(asking.map(({ id }) => loadState(world, id)));
  return states.flatMap((state) => buildPageItems(repo, state, getLastRound(state)));
}

/** Those that somebody should drive: what waits for a person stands above, what waits for a child says so there. */
async function listActiveRows(world: RecordWorld, repo: string, bubbles: readonly ListedBubble[]) {
  const active = bubbles.filter((bubble) => bubble.driven !== null && !hasEnded(bubble));
  return Promise.all(
    active.map(async ({ id }) =>
      buildWorkingRow(repo, (await readStatus(world, id)).view, world.clock.now()),
    ),
  );
}
