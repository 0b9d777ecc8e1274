// The requirements and the plan of a task pipeline (`.task/user-story.json`, `.task/plan-refined.json`) as a task that a bubble
// can be made from. Files of other tools hold anything, so every part is taken only where it has the expected form.

type Fields = Readonly<Record<string, unknown>>;

/** A task in Markdown; undefined where neither file says what is wanted. */
export function renderPipelineTask(story: unknown, plan: unknown): string | undefined {
  const [wanted, way] = [toFields(story), toFields(plan)];
  const title = toText(wanted.title) || toText(way.title);
  if (!title) return undefined;
  const requirements = toFields(wanted.requirements);
  const scope = toFields(wanted.scope);
  return [
    `# ${title}`,
    renderSection("Requirements", [
      ...toTexts(requirements.functional),
      ...toTexts(requirements.non_functional),
    ]),
    renderSection("Constraints", toTexts(requirements.constraints)),
    renderSection("Acceptance criteria", toList(wanted.acceptance_criteria).map(renderCriterion)),
    renderSection("In scope", toTexts(scope.in_scope)),
    renderSection("Out of scope", toTexts(scope.out_of_scope)),
    renderSection("Approach", toTexts(Object.values(toFields(way.technical_approach)))),
    renderSection("Plan", toList(way.steps).map(renderStep)),
  ]
    .filter(Boolean)
    .join("\n\n")
    .concat("\n");
}

/** The test commands that either file names, each once: a person confirms them as gates. */
export function listPipelineCommands(story: unknown, plan: unknown): string[] {
  const named = [toFields(story).test_criteria, toFields(plan).test_plan];
  return [...new Set(named.flatMap((part) => toTexts(toFields(part).commands)))];
}

function renderSection(title: string, items: readonly string[]): string {
  const lines = items.filter(Boolean).map((item) => `- ${item}`);
  return lines.length === 0 ? "" : [`## ${title}`, "", ...lines].join("\n");
}

function renderCriterion(given: unknown): string {
  if (typeof given === "string") return toText(given);
  const { scenario, given: state, when, then } = toFields(given);
  const steps = [
    ["given", state],
    ["when", when],
    ["then", then],
  ].flatMap(([word, text]) => (toText(text) ? [`${word} ${toText(text)}`] : []));
  return [toText(scenario), steps.join(", ")].filter(Boolean).join(": ");
}

function renderStep(given: unknown): string {
  const { description, file, action } = toFields(given);
  const place = toText(file) && ` (${[toText(action), toText(file)].filter(Boolean).join(" ")})`;
  return `${toText(description)}${place}`.trim();
}

const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toText = (value: unknown): string =>
  typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
const toTexts = (value: unknown): string[] => toList(value).map(toText).filter(Boolean);
