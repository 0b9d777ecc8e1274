// A tree under review with criteria, SOPs or only files to answer for, and honest words about each of them.
import { decide } from "../../src/core/bubble/decide.ts";
import type { Command, CommandOf, ReviewClaim, ReviewFacts } from "../../src/core/model/command.ts";
import type { CheckedEvidence } from "../../src/core/model/review/finding.ts";
import type { Opinion, SopEntry } from "../../src/core/model/review/verdict.ts";
import type { State } from "../../src/core/model/state.ts";
import { buildLocationKey } from "../../src/core/review/citations.ts";
import type { GivenResult } from "../../src/testing/given.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { proveAllPlaces, wholePackage } from "../../src/testing/scenario-actors.ts";
import { pair } from "./pair.ts";

type Pairing = NonNullable<Parameters<typeof pair>[0]>;
type Sop = NonNullable<CommandOf<"handoff">["context"]>["sops"][number];
type Files = CommandOf<"handoff">["files"];

export const sop = (slug: string) => `source.doc.sops.${slug}`;
export const errorSop: Sop = { id: sop("money"), severity: "error" };
export const warningSop: Sop = { id: sop("naming"), severity: "warning" };
export const remark: Sop = { id: sop("style"), severity: "info" };

export interface Setting {
  readonly criteria?: readonly string[];
  readonly sops?: readonly Sop[];
  readonly files?: Files;
  readonly review?: NonNullable<NonNullable<Pairing["config"]>["review"]>;
  readonly config?: Pairing["config"];
}

export const cart: Files = [{ path: "src/cart.ts", status: "modified", added: 3, removed: 1 }];
const inTree = (sops: readonly Sop[], files: Files) => ({
  files,
  context: { sops: [...sops], digest: "told" },
});

/** Alice has built T1, its gates are green, and bob has the turn to review it. Approvals need evidence. */
export function judging({ criteria = [], sops = [], files = cart, review, config }: Setting = {}): Scenario {
  return pair({
    criteria,
    config: { ...config, review: { require_evidence: true, ...review } },
  })
    .started()
    .implementerPasses({ package: wholePackage })
    .handsOver("T1", inTree(sops, files))
    .gatesPass()
    .atWork();
}

/** Bob reported this in T1; alice has made T2 of it, and bob has the turn again. */
export function judgingAgain(findings: ReviewClaim["findings"] & object, setting: Setting = {}): Scenario {
  return judging(setting)
    .reviews({ findings })
    .implementerPasses({ package: wholePackage })
    .handsOver("T2", inTree(setting.sops ?? [], setting.files ?? cart))
    .gatesPass()
    .atWork();
}

export const looked: CheckedEvidence = {
  file: "src/cart.ts",
  line: 41,
  why: "the discount is subtracted before the tax is added",
};

export const evidenceFor = (...subjects: string[]): CheckedEvidence => ({ ...looked, for: subjects });

export const passed = (slug: string, evidence = "src/cart.ts:41 keeps every amount in cents"): SopEntry => ({
  sop_id: sop(slug),
  status: "passed",
  evidence,
  violations: [],
});

export const violated = (slug: string): SopEntry => ({
  sop_id: sop(slug),
  status: "violated",
  evidence: "src/cart.ts:41 adds a float to an amount",
  violations: ["an amount becomes a float"],
});

/** The rest of a written verdict about T1. */
export const opinion = (more: Partial<Opinion> = {}): Opinion => ({
  dialect: "findings",
  decision: "approve",
  tree: "T1",
  sop_review: [],
  patterns: [],
  ...more,
});

export const clean = (...checked: CheckedEvidence[]) => ({ noFindings: true, checked });

type Said = Partial<Omit<CommandOf<"pass">, "type" | "actor">>;

/** What the referee says to this review, as the agent whose turn it is. */
export const says = (scene: Scenario, said: Said): GivenResult => scene.tries(scene.pass(said));

/** The same, in a world where something about its places is not true. */
export function saysWith(scene: Scenario, said: Said, facts: Partial<ReviewFacts>): GivenResult {
  return says(scene, { ...said, facts: { ...proveAllPlaces(said, scene.turn.tree), ...facts } });
}

/** A world in which this cited place is wrong. */
export const wrongAt = (
  said: Said,
  place: CheckedEvidence,
  problem: string,
): Pick<ReviewFacts, "places"> => ({
  places: { ...proveAllPlaces(said).places, [buildLocationKey(place)]: problem },
});

export const asOperator = (command: Command): Command => ({
  ...command,
  actor: { kind: "operator", via: "terminal", as: "reviewer" },
});

/** The code with which a command is refused in this state, or undefined. */
export const refusalOf = (state: State, command: Command): string | undefined =>
  decide(state, command, state.lastAt).refusal?.code;
