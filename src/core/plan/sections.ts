// The sections of a plan's document, in their order, with the sentence that guides the author.
import type { PlanText } from "../model/plan.ts";

export const sectionNames = ["situation", "mission", "execution", "constraints", "coordination"] as const;
export type PlanSectionName = (typeof sectionNames)[number];

export const headings: Readonly<Record<PlanSectionName, string>> = {
  situation: "Situation",
  mission: "Mission",
  execution: "Execution",
  constraints: "Constraints",
  coordination: "Coordination",
};

export const guidance: Readonly<Record<PlanSectionName, readonly string[]>> = {
  situation: ["What exists now. Entity references to existing code/specs."],
  mission: ["What we're doing and why. Success criteria."],
  execution: ["Approach and sketch. Architectural decisions."],
  constraints: [
    "- IN: what's in scope",
    "- OUT: what's excluded",
    "- DO NOT TOUCH: files/systems that must not be modified",
  ],
  coordination: ["Dependencies, sequencing, entity references."],
};

export const constraintKeys = ["in", "out", "do_not_touch"] as const;
export type ConstraintKey = (typeof constraintKeys)[number];
export const constraintWord: Readonly<Record<ConstraintKey, string>> = {
  in: "IN",
  out: "OUT",
  do_not_touch: "DO NOT TOUCH",
};

export const emptyText: PlanText = {
  situation: "",
  mission: "",
  execution: "",
  constraints: { in: [], out: [], do_not_touch: [] },
  coordination: "",
};
