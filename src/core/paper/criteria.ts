// The acceptance criteria that papers bring with them: those of a user story, and the success criteria of a plan. They are
// what work by such a paper is judged by, like criteria of the task itself.

import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { parseSuccessCriteria } from "../plan/success.ts";
import { isObject } from "../schema/absent.ts";

type Papers = NonNullable<State["papers"]>;

const longest = 2_000;

/** In the order of the papers' making: what is wanted, then what the plan promises. */
export function listPaperCriteria({ papers = {} }: Pick<State, "papers">): string[] {
  return [...listStoryCriteria(papers), ...listPlanCriteria(papers)].map((text) => clip(text, longest));
}

/** `AC1 A code is entered: given …, when …, then …`. */
function listStoryCriteria(papers: Papers): string[] {
  const listed = papers["user-story"]?.value.acceptance_criteria;
  return (Array.isArray(listed) ? listed : []).filter(isObject).map((one) => {
    const named = [one.id, one.scenario].filter((word) => typeof word === "string" && word !== "").join(" ");
    return `${named}: given ${one.given}, when ${one.when}, then ${one.then}`;
  });
}

/** As the plan lists them: a run that was started with a plan has them as its own criteria already. */
function listPlanCriteria(papers: Papers): string[] {
  const mission = papers.plan?.value.mission;
  if (typeof mission !== "string") return [];
  return parseSuccessCriteria({ mission }).map(({ text }) => text);
}
