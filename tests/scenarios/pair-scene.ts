// The pair of the paired workflow on stage: pe drives, architect challenges.
import { makes, type Play, reviews, Scene } from "./scene.ts";

/** The driver's turn: a new text of the design. */
export const drafts = (summary: string, more: object = {}) =>
  makes("design.md", `# Design\n\n${summary}\n`, summary, more);

/** The challenger rejects; open findings of earlier rounds stay open, or a new one is in the critique itself. */
export const rejects = (critique: string, ...open: string[]) =>
  reviews({
    challenger_approved: false,
    critique,
    prior_findings: open.map((one) => ({ id: one, status: "open" })),
  });

/** The challenger approves; what it found before is fixed. */
export const accepts = (critique: string, ...fixed: string[]) =>
  reviews({
    challenger_approved: true,
    critique,
    prior_findings: fixed.map((one) => ({ id: one, status: "fixed" })),
  });

/** One task with the pair; `more` are further lines of the overlay, `overlays` further overlays. */
export function pairTask(
  more: readonly string[] = [],
  { overlays = [], task = [] }: { overlays?: readonly string[]; task?: readonly string[] } = {},
): string {
  return [
    "tasks:",
    "  design:",
    "    agent: pe",
    ...task.map((line) => `    ${line}`),
    "    overlays:",
    "      paired_workflow:",
    "        enabled: true",
    "        driver_agent: pe",
    "        challenger_agent: architect",
    ...more.map((line) => `        ${line}`),
    ...overlays.map((line) => `      ${line}`),
    "",
  ].join("\n");
}

export const pairScene = (
  workflow: string,
  pe: readonly unknown[],
  architect: readonly unknown[],
  more: Partial<Play> = {},
): Scene => new Scene({ workflow, ...more, agents: { pe, architect, ...more.agents } });
