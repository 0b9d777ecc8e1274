// Plans and pipelines on stage: a shop, a planner, a developer and critics that follow scripts as real processes, and the
// papers they hand in.

import { fullPackage } from "../acceptance/rig.ts";
import { Scene } from "../scenarios/scene.ts";

export const papersFolder = ".pairflow/papers";

export const plan = (over: object = {}) => ({
  title: "Totals with tax",
  situation: "src/cart.txt holds the total without tax",
  mission:
    "The cart tells the total with tax.\n\nSuccess criteria:\n- the total is told with tax\n- the rate is written down",
  execution: "1. Write the rate down in `src/rate.txt`\n2. Tell the total with tax in `src/cart.txt`",
  constraints: { in: ["src/**"], out: [], do_not_touch: ["README.md", "no new dependencies"] },
  coordination: "The rate comes first",
  ...over,
});

export const task = (id: string, description: string, files: string[], more: object = {}) => ({
  id,
  description,
  files,
  // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
  criteria: [{ given: "the shop", when: `${id} is done`, then: "it holds" }],
  depends_on: [],
  covers: [],
  ...more,
});

export const tasks = {
  tasks: [
    task("t1", "Write the rate down in src/rate.txt", ["src/rate.txt"], { covers: ["S2"] }),
    task("t2", "Tell the total with tax in src/cart.txt", ["src/cart.txt"], {
      covers: ["S1"],
      depends_on: ["t1"],
    }),
  ],
};

/** A turn that hands in a paper. */
export const hands = (paper: object, more: object = {}) => ({ ...more, steps: [{ paper }] });

/** A turn that writes files and hands them over. */
export const builds = (files: Readonly<Record<string, string>>, more: object = {}, summary = "built") => ({
  ...more,
  steps: [
    ...Object.entries(files).map(([path, text]) => ({ write: { path, text } })),
    { pass: { summary, ...fullPackage } },
  ],
});

interface Judging {
  readonly file: string;
  readonly line?: number;
  readonly quote?: string;
  readonly feedback?: string;
  readonly prior?: readonly object[];
  readonly over?: object;
  /** The criteria it is evidence for; a plan of this stage has two, other work one. None: there are none. */
  readonly criteria?: readonly string[];
}

const usualCriteria = ({ file }: Judging) => (file === `${papersFolder}/plan.json` ? ["C1", "C2"] : ["C1"]);

function evidence(judging: Judging) {
  const { file, line = 1, quote, prior = [], criteria = usualCriteria(judging) } = judging;
  const named = criteria.length > 0 ? { for: criteria } : {};
  const why = "this line was looked at and it holds";
  return {
    tree: "{{tree}}",
    checked: [{ ...named, file, line, ...(quote ? { quote } : {}), why }],
    prior_findings: prior,
  };
}

/** `approved`, as the critics of papers and of the pipeline say it. */
export const passes = (what: Judging, more: object = {}) => ({
  ...more,
  steps: [
    {
      review: {
        status: "approved",
        summary: what.feedback ?? "nothing is wrong with it",
        scores: { security: 8, quality: 9, overall: 8 },
        findings: [],
        blockers: [],
        ...evidence(what),
        ...what.over,
      },
    },
  ],
});

export const objects = (what: Judging & { readonly title: string }, more: object = {}) => ({
  ...more,
  steps: [
    {
      review: {
        status: "needs_changes",
        summary: what.feedback ?? what.title,
        scores: { security: 5, quality: 5, overall: 5 },
        findings: [
          {
            id: "F1",
            category: "quality",
            severity: "high",
            title: what.title,
            recommendation: "fix it",
            file: what.file,
            line: what.line ?? 1,
            ...(what.quote ? { evidence: what.quote } : {}),
          },
        ],
        blockers: [],
        ...evidence(what),
        checked: [],
        ...what.over,
      },
    },
  ],
});

/** `approved` or `rejected`, as the reviewer of plan-and-execute says it. */
export const verdict = (what: Judging & { readonly type?: string }, more: object = {}) => ({
  ...more,
  steps: [
    {
      review: {
        verdict: what.type === undefined ? "approved" : "rejected",
        rejection_type: what.type ?? null,
        sop_review: [],
        confidence: 0.9,
        feedback: what.feedback ?? "it holds",
        patterns: [],
        findings: [],
        ...evidence(what),
        ...(what.type === undefined ? {} : { checked: [] }),
        ...what.over,
      },
    },
  ],
});

export const cast = (roles: Readonly<Record<string, string>>) =>
  `defaults:\n  agents: ${JSON.stringify(roles)}\n  notifications: { enabled: false }\n  review: { require_evidence: true }\n`;

/** A scene whose commands are not `workflow run`. */
export const stage = (
  agents: Readonly<Record<string, readonly unknown[]>>,
  roles: Readonly<Record<string, string>>,
) => new Scene({ workflow: "unused: true", file: "unused.yaml", agents, config: cast(roles) });
