// The four tools: what each is for, what it takes, and the claim it becomes. The claims are the ones that the agent
// verbs of the command line make, field by field in the same order, so that the referee cannot tell them apart.
import type * as v from "valibot";
import type { submitClaim } from "../app/caller/claims.ts";
import { addSubject } from "../app/files/sentence.ts";
import { buildUsageError } from "../app/host/usage.ts";
import type { ReviewClaim } from "../core/model/command.ts";
import { check } from "../core/model/value/validate.ts";
import { buildOpinion } from "../core/review/claim.ts";
import { expandNames } from "../core/review/names.ts";
import { dropNulls } from "../core/schema/absent.ts";
import {
  AskArguments,
  ConvergedArguments,
  type Like,
  PassArguments,
  type Question,
  ReviewArguments,
} from "./schemas.ts";

type Claim = Parameters<typeof submitClaim>[1];

/** What a call means once its arguments are understood. */
export interface ToolClaim {
  readonly claim: Claim;
  readonly refs: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly schema: v.GenericSchema<unknown, unknown>;
  /** Fields whose items are shown elsewhere. */
  readonly like?: Like;
  /** Throws a usage error when the arguments are not as the schema says. */
  read(given: unknown): ToolClaim;
}

function buildTool<T extends { readonly refs?: readonly string[] | undefined }>(
  declaration: Omit<Tool, "schema" | "read"> & {
    readonly schema: v.GenericSchema<unknown, T>;
    claim(args: T): Claim;
  },
): Tool {
  const { claim, schema, ...rest } = declaration;
  return {
    ...rest,
    schema,
    read(given) {
      const args = parseArguments(rest.name, schema, given);
      return { claim: claim(args), refs: args.refs ?? [] };
    },
  };
}

function parseArguments<T>(name: string, schema: v.GenericSchema<unknown, T>, given: unknown): T {
  // Some models fill in every property and write null for what they leave out.
  const result = check(schema, dropNulls(given));
  if (result.ok) return result.value;
  const [first = "the arguments are not as they must be", ...others] = result.issues.map(
    ({ path, message }) => addSubject(path, message),
  );
  throw buildUsageError(
    "usage.bad-arguments",
    `${name}: ${first}`,
    "correct the arguments and call the tool again; nothing was recorded",
    others.slice(0, 10),
  );
}

const pass = buildTool({
  name: "pass",
  title: "Hand over",
  about: "Ends your turn: hand over your work (do not commit), your paper or your score.",
  schema: PassArguments,
  claim: ({ summary, disputes, no_change, package: pack, checkpoint, score, paper }) => ({
    type: "pass",
    summary,
    ...(disputes?.length ? { disputes } : {}),
    ...(no_change !== undefined ? { noChange: no_change } : {}),
    ...(pack && Object.keys(pack).length > 0 ? { package: pack } : {}),
    ...(checkpoint !== undefined ? { checkpoint } : {}),
    ...(score !== undefined ? { score } : {}),
    ...(paper !== undefined ? { paper } : {}),
  }),
});

const submitReview = buildTool({
  name: "submit_review",
  title: "Hand in a review",
  about: "Reviewer, ends your turn: hand in findings, or none.",
  schema: ReviewArguments,
  like: { "sop_review.evidence": "places, as in checked" },
  claim: ({ summary, review, refs: _, ...parts }) => {
    if (review) return buildWholeReview(summary, review, parts);
    const { findings, answers, checked, sop_review, confidence, converged } = parts;
    if (!findings && !converged) throw refuseWithoutFindings();
    return {
      type: converged ? "converged" : "pass",
      summary,
      ...buildReview({ findings, noFindings: findings?.length === 0 && !converged, answers, checked }),
      ...buildOpinion(buildReview({ findings, answers }), { sops: sop_review ?? [], confidence }),
    };
  },
});

const converged = buildTool({
  name: "converged",
  title: "Claim convergence",
  about:
    "Reviewer, ends your turn: a review without findings that claims that nothing at all is missing; refused if the record says otherwise.",
  schema: ConvergedArguments,
  like: {
    answers: "as in submit_review",
    checked: "as in submit_review",
    sop_review: "as in submit_review",
  },
  claim: ({ summary, answers, checked, sop_review, confidence }) => ({
    type: "converged",
    summary,
    ...buildReview({ answers, checked }),
    ...buildOpinion(buildReview({ answers }), { sops: sop_review ?? [], confidence }),
  }),
});

const askHuman = buildTool({
  name: "ask_human",
  title: "Ask the human",
  about: "Ask the human what only a human can decide; wait, the answer is delivered to you.",
  schema: AskArguments,
  like: { others: "further questions, each like this one" },
  claim: ({ others, refs: _, ...first }) => ({
    type: "ask-human",
    ...buildAsking(first),
    ...(others?.length ? { others: others.map((one, i) => ({ id: `q${i + 2}`, ...buildAsking(one) })) } : {}),
  }),
});

export const tools: readonly Tool[] = [pass, submitReview, converged, askHuman];

function buildAsking({ question, options, context }: v.InferOutput<typeof Question>) {
  return {
    question: context ? `${question}\n\n${context}` : question,
    ...(options?.length ? { options } : {}),
  };
}

/** A whole review says everything; arguments beside it would say it twice. */
function buildWholeReview(summary: string, review: object, beside: object): Claim {
  const [other] = Object.entries(beside).flatMap(([name, value]) => (isSaid(value) ? [name] : []));
  if (other === undefined) return { type: "pass", summary, review: JSON.stringify(review) };
  throw buildUsageError(
    "usage.two-reviews",
    `submit_review: review says the whole review; leave ${other} out`,
    "call the tool again; nothing was recorded",
  );
}

/** Some models fill in every argument: an empty list and false say nothing. */
const isSaid = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

function refuseWithoutFindings() {
  return buildUsageError(
    "usage.bad-arguments",
    "submit_review: findings is missing",
    "give every new defect, or an empty list; nothing was recorded",
  );
}

/** What is empty is left out, as on the command line. */
function buildReview(review: { [K in keyof ReviewClaim]: ReviewClaim[K] | undefined }): ReviewClaim {
  const { findings, noFindings, answers, checked } = review;
  return {
    ...(findings?.length ? { findings } : {}),
    ...(noFindings ? { noFindings } : {}),
    ...(answers?.length ? { answers } : {}),
    ...(checked?.length ? expandNames({ checked }) : {}),
  };
}
