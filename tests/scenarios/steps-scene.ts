// What critics say in scenes of a cart, with evidence from it, and a scene that runs a built-in workflow by its name.
import { type Play, Scene } from "./scene.ts";

export const cart = "src/cart.txt";

/** How long a scene may take where many others run, in milliseconds. */
export const patience = 90_000;

/** A person's own key, for answers that sign something away. */
export const asOperator = ({ tool }: Scene): string[] => ["--operator-key", tool.key];

/** Evidence counts as in any project. */
const strict = (agents: string) => `defaults:\n  agents: ${agents}\n  notifications: { enabled: false }\n`;

export interface Said {
  readonly feedback: string;
  /** The first line of the cart, as the review cites it. */
  readonly quote?: string;
  /** Findings of earlier rounds, and what became of them. */
  readonly prior?: readonly { readonly id: string; readonly status: string }[];
  /** Anything that is said differently. */
  readonly over?: object;
}

const usual = { tree: "{{tree}}", sop_review: [], confidence: 0.9, patterns: [] };
export const checks = {
  acceptance_criteria_met: true,
  code_standards_met: true,
  test_coverage_adequate: true,
  security_review_passed: true,
};

const approving = ({ feedback, quote = "total: 2", prior = [], over = {} }: Said, named: object = {}) => ({
  ...usual,
  feedback,
  checked: [{ ...named, file: cart, line: 1, quote, why: "the line holds the total that was asked for" }],
  prior_findings: prior,
  findings: [],
  ...over,
});

const rejecting = ({ feedback, quote = "total: 3", prior = [], over = {} }: Said) => ({
  ...usual,
  feedback,
  checked: [],
  prior_findings: prior,
  findings: prior.some(({ status }) => status === "open")
    ? []
    : [{ severity: "P1", title: feedback, file: cart, line: 1, evidence: quote }],
  ...over,
});

const turn = (review: object) => ({ steps: [{ review }] });

/** The runs of this decision have one criterion. */
export const goes = (said: Said) =>
  turn({ decision: "GO", quality_checks: checks, ...approving(said, { for: ["C1"] }) });
export const noGo = (said: Said) => turn({ decision: "NO_GO", quality_checks: checks, ...rejecting(said) });
export const approves = (said: Said) =>
  turn({ verdict: "approved", rejection_type: null, ...approving(said) });
export const rejects = (type: string, said: Said) =>
  turn({ verdict: "rejected", rejection_type: type, ...rejecting(said) });

/** A scene whose workflow is found by its name. */
export class BuiltIn extends Scene {
  override readonly file: string;

  constructor(workflow: string, play: Omit<Play, "workflow">) {
    super({ workflow: "", file: "unused.yaml", ...play });
    this.file = workflow;
  }
}

/** Reviews here count only with evidence. */
export const withEvidence = strict("{}");
/** The roles of plan-and-execute.json and who plays them. */
export const developerAndReviewer = strict("{ developer: dev, reviewer: rev }");

/** The steps that were entered and not passed over, in order. */
export const entered = (scene: Scene): string[] =>
  scene.lines("STEP_ADVANCED").flatMap(({ payload }) => (payload.to && !payload.unmet ? [payload.to] : []));

/** What the workflow told the world: events by their own names, signals by their subjects. */
export const events = (scene: Scene): Readonly<Record<string, unknown>>[] =>
  scene.lines("EVENT").map(({ payload: { event, payload } }) => ({ event, ...payload }));

/** The newest question to a human. */
export function question(scene: Scene) {
  const asked = scene.lines("HUMAN_QUESTION").at(-1)?.payload;
  if (!asked) throw new Error("nobody was asked");
  return asked;
}
