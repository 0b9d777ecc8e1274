// Who reviewed, and what a person was asked.
import { type Card, describeCard } from "../../../measure/card.ts";
import type { RunFacts } from "../../../model/page/facts.ts";
import { addUp } from "./numbers.ts";
import type { InsightTable } from "./table.ts";

export function listReviewers(runs: readonly RunFacts[], cards: readonly Card[]): InsightTable {
  const facts = runs.flatMap(({ reviewers }) => reviewers);
  const agents = [...new Set(facts.map(({ agent }) => agent))].sort();
  const rows = agents.map((agent) => {
    const own = facts.filter((fact) => fact.agent === agent);
    const reviews = addUp(own.map((fact) => fact.reviews));
    const told = own.filter((fact) => fact.tokens !== null);
    const toldReviews = addUp(told.map((fact) => fact.reviews + fact.refused));
    const tokens = addUp(told.map((fact) => fact.tokens ?? 0));
    const card = cards.find((one) => one.agent === agent);
    return [
      agent,
      reviews,
      reviews > 0 ? addUp(own.map(({ clean }) => clean)) / reviews : null,
      addUp(own.map(({ refused }) => refused)),
      toldReviews > 0 ? tokens / toldReviews : null,
      card ? describeCard(card) : "not measured: pairflow bench-reviewer",
    ];
  });
  return {
    key: "reviewers",
    title: "Reviewers",
    says: "Reviews that counted, how many had nothing open, and those that the referee refused.",
    columns: [
      { name: "agent", unit: "text" },
      { name: "reviews", unit: "count" },
      { name: "clean", unit: "share" },
      { name: "refused", unit: "count" },
      { name: "tokens a review", unit: "tokens" },
      { name: "card", unit: "text" },
    ],
    rows,
    drawn: 1,
  };
}

export function listQuestions(runs: readonly RunFacts[]): InsightTable {
  const kinds = [...new Set(runs.flatMap(({ questions }) => Object.keys(questions)))].sort();
  const rows = kinds.map((kind) => {
    const asked = runs.flatMap(({ questions }) => questions[kind] ?? []);
    return [kind.replaceAll("_", " "), addUp(asked), asked.length];
  });
  return {
    key: "questions",
    title: "Questions to you",
    says: "What a person was asked, beside the signature.",
    columns: [
      { name: "kind", unit: "text" },
      { name: "questions", unit: "count" },
      { name: "bubbles", unit: "count" },
    ],
    rows: rows.sort((a, b) => Number(b[1]) - Number(a[1])),
    drawn: 1,
  };
}
