// The payload of figures over all bubbles that have ended, of the repositories and the time that the query names.

import { readCards } from "../../../app/agents/reviewer-cards.ts";
import type { KnownRepository } from "../../../app/host/repositories/list.ts";
import { tryOrLater } from "../../../core/model/value/try-or.ts";
import {
  buildInsightsView,
  type InsightsPage,
  type RunWithRepo,
} from "../../../core/views/page/insights/view.ts";
import type { FactStore } from "./facts.ts";

export interface InsightsDependencies {
  readonly facts: FactStore;
  readonly now: () => string;
}

const usualDays = 90;

export async function readInsights(
  repositories: readonly KnownRepository[],
  query: URLSearchParams,
  { facts, now }: InsightsDependencies,
): Promise<Omit<InsightsPage, "words">> {
  const runs = (await Promise.all(repositories.map((repository) => readRuns(repository, facts)))).flat();
  const wish = {
    days: parseDays(query.get("days")),
    repo: query.get("repo") || null,
    workflow: query.get("workflow") || null,
  };
  const chosen = repositories.filter(({ name }) => wish.repo === null || wish.repo === name);
  return {
    page: "insights",
    repositories: repositories.map(({ name }) => name),
    waiting: null,
    ...buildInsightsView(runs, wish, { now: now(), cards: chosen.flatMap(({ path }) => readCards(path)) }),
  };
}

/** `all` is everything; what is no number of days is the usual one. */
function parseDays(text: string | null): number | null {
  if (text === "all") return null;
  const days = Number(text);
  return Number.isInteger(days) && days > 0 ? days : usualDays;
}

/** A repository that cannot be read now does not hide the others. */
async function readRuns({ name, path }: KnownRepository, facts: FactStore): Promise<RunWithRepo[]> {
  return tryOrLater(async () => (await facts.read(path)).map((run) => ({ ...run, repo: name })), []);
}
