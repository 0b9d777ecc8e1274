// The test commands that papers name, as gates. Pairflow runs gates itself, outside the agents' sandbox: a command
// becomes one only when a human has seen it, and a paper can make a gate stricter but never softer.
import type { Gate } from "../model/gate.ts";
import { type Patterns, patternProblem } from "./patterns.ts";
import { visible } from "./visible.ts";

type PaperValue = Readonly<Record<string, unknown>>;

export interface Wanted {
  /** The user story, which a human has approved. */
  readonly story?: PaperValue | undefined;
  /** The refined plan, which only agents have seen. */
  readonly plan?: PaperValue | undefined;
  /** The gates that a human has confirmed. */
  readonly profile: readonly Gate[];
  /** Commands that a human has allowed when asked. */
  readonly approvedCommands: readonly string[];
}

export interface Adopted {
  /** The whole list: the profile's own gates, then the adopted ones. */
  readonly gates: readonly Gate[];
  /** Commands that no human has approved; they are not among the gates. */
  readonly unapproved: readonly string[];
}

interface TestCommand extends Patterns {
  readonly command: string;
}

interface TestPlan extends Patterns {
  readonly commands: readonly TestCommand[];
}

/** The gates of a run whose papers name test commands: those of the plan or, if it has none, of the user story. */
export function adoptedGates({ story, plan, profile, approvedCommands }: Wanted): Adopted {
  const criteria = testPlan(story?.test_criteria);
  const planned = testPlan(plan?.test_plan);
  const named = planned.commands.length > 0 ? planned.commands : criteria.commands;
  const seen = [
    ...profile.map(({ command }) => command),
    ...criteria.commands.map(({ command }) => command),
    ...approvedCommands,
  ];
  const approved = named.flatMap((test) => {
    const spelling = seen.find((command) => isSame(command, test.command));
    return spelling === undefined ? [] : [{ ...test, command: spelling }];
  });
  // What the human approved with the story holds for the plan too, as far as the plan says nothing itself.
  const whole = { ...patternsOf(criteria), ...patternsOf(planned) };
  return {
    gates: withWholePatterns(approved, whole).reduce(adopting, profile),
    unapproved: named.map(({ command }) => command).filter((command) => !seen.some(sameAs(command))),
  };
}

/** What a human is asked about commands that only agents have seen. */
export function commandsQuestion(unapproved: readonly string[]): string {
  const list = unapproved.map((command) => `- ${visible(command)}`).join("\n");
  return `The plan wants these commands run by Pairflow itself, outside the agents' sandbox:\n${list}`;
}

/**
 * A pattern for all commands: nothing may look like a failure in any of them; success needs to be said by one only, the
 * one that runs the tests.
 */
function withWholePatterns(tests: readonly TestCommand[], whole: Patterns): TestCommand[] {
  const { success_pattern, ...everywhere } = whole;
  const speaker = tests.length === 1 ? 0 : tests.findIndex(({ command }) => runsTests.test(command));
  return tests.map((test, i) => ({
    ...everywhere,
    ...(i === speaker && success_pattern !== undefined ? { success_pattern } : {}),
    ...test,
  }));
}

/** `npm test`, `make tests`, `gradle testDebug`, `bundle exec rspec`; but not `latest` and `inspect`. */
const runsTests =
  /(?<![a-z])tests?(?![a-z])|(?<![a-z])test[A-Z]|[a-z]Tests?(?![a-z])|\bspecs?\b|(?:vi|py|unit)test|jest|rspec/;

/** The list with one more test command. What a human confirmed about a gate of that command stays as it is. */
function adopting(gates: readonly Gate[], { command, ...patterns }: TestCommand): readonly Gate[] {
  const at = gates.findIndex((gate) => isSame(gate.command, command));
  const own = gates[at];
  if (own) return gates.with(at, { ...own, ...patterns, ...patternsOf(own) });
  return [...gates, { name: freeName(gates), command, required: true, timeout_seconds: 600, ...patterns }];
}

function freeName(gates: readonly Gate[], number = 1): string {
  const name = number === 1 ? "test" : `test-${number}`;
  return gates.some((gate) => gate.name === name) ? freeName(gates, number + 1) : name;
}

/** The commands of a paper, each once, with the patterns said for it. */
function testPlan(value: unknown): TestPlan {
  if (!isTable(value)) return { commands: [] };
  const list = Array.isArray(value.commands) ? value.commands : [];
  const commands = list.map(testCommand).filter(({ command }) => command !== "");
  return { ...patternsOf(value), commands: commands.reduce(once, []) };
}

function once(tests: readonly TestCommand[], next: TestCommand): TestCommand[] {
  const at = tests.findIndex(({ command }) => isSame(command, next.command));
  const first = tests[at];
  return first ? tests.with(at, { ...next, ...first }) : [...tests, next];
}

function testCommand(value: unknown): TestCommand {
  if (!isTable(value)) return { command: typeof value === "string" ? value.trim() : "" };
  return { ...patternsOf(value), command: testCommand(value.command).command };
}

/** The patterns that can be used; a paper with others is refused when it is handed in. */
function patternsOf(value: PaperValue | Patterns): Patterns {
  const { success_pattern, failure_pattern } = value;
  return {
    ...(isPattern(success_pattern) ? { success_pattern } : {}),
    ...(isPattern(failure_pattern) ? { failure_pattern } : {}),
  };
}

const isPattern = (value: unknown): value is string =>
  typeof value === "string" && patternProblem(value) === undefined;

const isTable = (value: unknown): value is PaperValue =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Blanks do not make another command; a line break does, for it ends one. */
const folded = (command: string) => command.trim().replace(/[ \t]+/g, " ");
const isSame = (one: string, other: string) => folded(one) === folded(other);
const sameAs = (one: string) => (other: string) => isSame(one, other);
