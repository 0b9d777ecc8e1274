// The test commands that papers name, as gates. Pairflow runs gates itself, outside the agents' sandbox: a command
// becomes one only when a human has seen it, and a paper can make a gate stricter but never softer.
import type { Gate } from "../model/gate.ts";
import { isObject } from "../schema/absent.ts";
import { escapeInvisible } from "./escape-invisible.ts";
import { checkPattern, type Patterns } from "./output/patterns.ts";

type PaperValue = Readonly<Record<string, unknown>>;

export interface TestCommandSources {
  /** The user story, which a human has approved. */
  readonly story?: PaperValue | undefined;
  /** The refined plan, which only agents have seen. */
  readonly plan?: PaperValue | undefined;
  /** The gates that a human has confirmed. */
  readonly profile: readonly Gate[];
  /** Commands that a human has allowed when asked. */
  readonly approvedCommands: readonly string[];
}

export interface AdoptedGates {
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
export function adoptTestCommands({
  story,
  plan,
  profile,
  approvedCommands,
}: TestCommandSources): AdoptedGates {
  const criteria = parseTestPlan(story?.test_criteria);
  const planned = parseTestPlan(plan?.test_plan);
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
  const whole = { ...buildPatterns(criteria), ...buildPatterns(planned) };
  return {
    gates: addWholePatterns(approved, whole).reduce(adoptCommand, profile),
    unapproved: named.map(({ command }) => command).filter((command) => !seen.some(matchSame(command))),
  };
}

/** What a human is asked about commands that only agents have seen. */
export function askAboutCommands(unapproved: readonly string[]): string {
  const list = unapproved.map((command) => `- ${escapeInvisible(command)}`).join("\n");
  return `The plan wants these commands run by Pairflow itself, outside the agents' sandbox:\n${list}`;
}

/**
 * A pattern for all commands: nothing may look like a failure in any of them; success needs to be said by one only, the
 * one that runs the tests.
 */
function addWholePatterns(tests: readonly TestCommand[], whole: Patterns): TestCommand[] {
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
function adoptCommand(gates: readonly Gate[], { command, ...patterns }: TestCommand): readonly Gate[] {
  const at = gates.findIndex((gate) => isSame(gate.command, command));
  const own = gates[at];
  if (own) return gates.with(at, { ...own, ...patterns, ...buildPatterns(own) });
  return [...gates, { name: getFreeName(gates), command, required: true, timeout_seconds: 600, ...patterns }];
}

function getFreeName(gates: readonly Gate[], number = 1): string {
  const name = number === 1 ? "test" : `test-${number}`;
  return gates.some((gate) => gate.name === name) ? getFreeName(gates, number + 1) : name;
}

/** The commands of a paper, each once, with the patterns said for it. */
function parseTestPlan(value: unknown): TestPlan {
  if (!isObject(value)) return { commands: [] };
  const list = Array.isArray(value.commands) ? value.commands : [];
  const commands = list.map(parseTestCommand).filter(({ command }) => command !== "");
  return { ...buildPatterns(value), commands: commands.reduce(addOnce, []) };
}

function addOnce(tests: readonly TestCommand[], next: TestCommand): TestCommand[] {
  const at = tests.findIndex(({ command }) => isSame(command, next.command));
  const first = tests[at];
  return first ? tests.with(at, { ...next, ...first }) : [...tests, next];
}

function parseTestCommand(value: unknown): TestCommand {
  if (!isObject(value)) return { command: typeof value === "string" ? value.trim() : "" };
  return { ...buildPatterns(value), command: parseTestCommand(value.command).command };
}

/** The patterns that can be used; a paper with others is refused when it is handed in. */
function buildPatterns(value: PaperValue | Patterns): Patterns {
  const { success_pattern, failure_pattern } = value;
  return {
    ...(isPattern(success_pattern) ? { success_pattern } : {}),
    ...(isPattern(failure_pattern) ? { failure_pattern } : {}),
  };
}

const isPattern = (value: unknown): value is string =>
  typeof value === "string" && checkPattern(value) === undefined;

/** Blanks do not make another command; a line break does, for it ends one. */
const foldSpaces = (command: string) => command.trim().replace(/[ \t]+/g, " ");
const isSame = (one: string, other: string) => foldSpaces(one) === foldSpaces(other);
const matchSame = (one: string) => (other: string) => isSame(one, other);
