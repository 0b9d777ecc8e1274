// The user story: what somebody wants, in requirements and criteria that can be checked. A human approves it.
import * as v from "valibot";
import { Criterion } from "../../model/plan.ts";
import { defineTextField, describeField } from "../../model/value/field.ts";
import { CommandLines, checkCommands, patternEntries, pickPatterns } from "../commands.ts";
import { definePaperKind } from "../kind.ts";
import {
  buildCriterion,
  buildPaperId,
  defineTexts,
  findRepeated,
  Implementation,
  readPayloadSettings,
  usualIterations,
  usualMode,
} from "../parts.ts";

const StoryCriterion = v.strictObject({
  id: defineTextField(40, "AC1, AC2 …"),
  scenario: defineTextField(500, "in a few words"),
  ...Criterion.entries,
});

const Story = v.strictObject({
  id: v.optional(defineTextField(60)),
  title: defineTextField(300, "short and descriptive"),
  requirements: v.strictObject({
    functional: defineTexts("what it does; at least one"),
    non_functional: defineTexts("speed, security and the like"),
    constraints: defineTexts("what must stay as it is"),
  }),
  acceptance_criteria: describeField(
    v.optional(v.pipe(v.array(StoryCriterion), v.maxLength(50)), []),
    "at least one",
  ),
  scope: v.optional(
    v.strictObject({ in_scope: defineTexts("part of this"), out_of_scope: defineTexts("not part of this") }),
    {},
  ),
  test_criteria: v.optional(v.strictObject({ commands: CommandLines, ...patternEntries }), {}),
  implementation: Implementation,
  // A human's to say; named here so that it can be told.
  approved_at: v.optional(v.unknown()),
  approved_by: v.optional(v.unknown()),
});

export const userStory = definePaperKind({
  name: "user-story",
  about:
    "What is wanted, as requirements and acceptance criteria that somebody can check; a human approves it.",
  schema: Story,
  example: {
    title: "Discount codes in the cart",
    requirements: {
      functional: ["A customer enters a code and the total becomes smaller"],
      non_functional: ["The total is there within 200 ms with 100 items"],
      constraints: ["The API under /v1 keeps its form"],
    },
    acceptance_criteria: [
      {
        id: "AC1",
        scenario: "A code is entered",
        ...buildCriterion(
          "a cart worth 100.00 and the code SAVE10",
          "the code is sent to POST /cart/code",
          "the total is 90.00 before tax",
        ),
      },
    ],
    scope: { in_scope: ["One code a cart"], out_of_scope: ["Codes that expire"] },
    test_criteria: { commands: ["npm test"] },
    implementation: { mode: "ralph-loop", max_iterations: 10 },
  },
  problems(story, context) {
    const ids = story.acceptance_criteria.map(({ id }) => id);
    const isSigned = story.approved_at !== undefined || story.approved_by !== undefined;
    return [
      ...(isSigned ? ["approved_at and approved_by are a human's to give: leave them out"] : []),
      ...(story.requirements.functional.length === 0
        ? ["requirements.functional is empty: say at least one thing that it does"]
        : []),
      ...(ids.length === 0 ? ["acceptance_criteria is empty: say at least one"] : []),
      ...findRepeated(ids).map((id) => `two acceptance criteria are called ${id}`),
      ...checkCommands("test_criteria", story.test_criteria, context),
    ];
  },
  complete(story, context) {
    const { mode, max_iterations: most } = story.implementation;
    const settings = readPayloadSettings(context);
    return {
      id: buildPaperId("user-story", "story", story.id, context),
      title: story.title,
      requirements: story.requirements,
      acceptance_criteria: story.acceptance_criteria,
      scope: story.scope,
      test_criteria: { commands: story.test_criteria.commands, ...pickPatterns(story.test_criteria) },
      implementation: {
        mode: mode ?? settings.mode ?? settings.defaultMode ?? usualMode,
        max_iterations: most ?? settings.maxIterations ?? settings.defaultMaxIterations ?? usualIterations,
      },
    };
  },
});
