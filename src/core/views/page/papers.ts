// What agents were told and what they handed in: the package as it would be signed, and every prompt as its agent got it.
import type { Envelope } from "../../model/record/envelope.ts";
import type { State } from "../../model/state.ts";
import { buildPackageView, type PackageView } from "../../signing/package.ts";
import type { BubbleHeader } from "./overview.ts";

export interface PackagePage extends BubbleHeader {
  readonly page: "package";
  readonly package: PackageView;
}

export interface PromptRow {
  readonly seq: number;
  readonly at: string;
  readonly round: number;
  readonly agent: string;
  readonly role: string;
  readonly turn: string;
  readonly artifact: string;
}

export interface PromptsPage extends BubbleHeader {
  readonly page: "prompts";
  readonly prompts: readonly PromptRow[];
  /** The text of the one that was asked for. */
  readonly shown: { readonly artifact: string; readonly text: string } | null;
}

export const buildPackagePage = (header: BubbleHeader, state: State): PackagePage => ({
  ...header,
  page: "package",
  package: buildPackageView(state),
});

export function buildPromptRows(envelopes: readonly Envelope[]): PromptRow[] {
  return envelopes.flatMap((envelope) => {
    if (envelope.type !== "TURN_STARTED") return [];
    const { agent, role, turn, attempt, prompt } = envelope.payload;
    const { seq, ts: at, round } = envelope;
    return [{ seq, at, round, agent, role, turn: `${turn}.${attempt}`, artifact: prompt }];
  });
}
