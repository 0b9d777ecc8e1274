// A plan as an agent drafts it: the parts of the printed entity that an author writes, with a title.
import * as v from "valibot";
import { Constraints, PlanText } from "../../model/plan.ts";
import { defineTextField, describeField } from "../../model/value/field.ts";
import { parseSuccessCriteria } from "../../plan/success.ts";
import { definePaperKind } from "../kind.ts";

const { situation, mission, execution, coordination } = PlanText.entries;

/** Parts that are left out are empty; what must not be empty is a problem with a sentence of its own. */
const DraftPlan = v.strictObject({
  title: defineTextField(300, "short"),
  situation: describeField(v.optional(situation, ""), "what exists now, with places of the code"),
  mission: describeField(
    v.optional(mission, ""),
    "what we do and why; then a line `Success criteria:` with a list, one `- ` item each",
  ),
  execution: describeField(
    v.optional(execution, ""),
    "approach and decisions; numbered lines (1. …) become tasks",
  ),
  constraints: v.optional(Constraints, {}),
  coordination: describeField(v.optional(coordination, ""), "dependencies and sequence; may be empty"),
});

export const plan = definePaperKind({
  name: "plan",
  about:
    "What is to be done and why, and how: situation, mission with success criteria, execution, constraints.",
  schema: DraftPlan,
  example: {
    title: "Discount codes in the cart",
    situation: "src/cart.ts:12 makes totals and knows no discounts.",
    mission:
      "Customers use codes, so that campaigns can be run.\n\nSuccess criteria:\n- The code SAVE10 takes 10 % off before tax\n- An unknown code gets 404",
    execution: "1. Codes in `src/cart.ts` (S1)\n2. POST /cart/code in `src/api.ts` (S2)",
    constraints: { in: ["src/**", "tests/**"], out: ["Codes that expire"], do_not_touch: ["src/billing/**"] },
    coordination: "",
  },
  problems: (value) => [
    ...(value.mission.trim() === "" ? ["mission is empty: say what is done and why"] : []),
    ...(value.execution.trim() === "" ? ["execution is empty: say how it is done"] : []),
    ...(value.mission.trim() !== "" && parseSuccessCriteria(value).length === 0
      ? ["mission names no success criterion: add a line `Success criteria:` and a list under it"]
      : []),
  ],
  complete: (value) => value,
});
