// What an agent is told at the start of a turn. One source for every rule told to agents; absolute paths; what a
// role must not see is left out here and nowhere else.
import type { Finding } from "../model/finding.ts";
import { missingParts } from "../model/package.ts";
import type { State, Turn } from "../model/state.ts";
import { openFindings } from "../policy/severity.ts";

export type Voice = "tools" | "verbs" | "json";

export interface BriefingInputs {
  /** The role's own text (prompts/<role>.md). */
  readonly roleText: string;
  /** The whole task text. */
  readonly task: string;
  readonly worktree: string;
  readonly out: string;
  /** Absolute path of an artifact by its name. */
  readonly artifact: (name: string) => string;
  /** How this agent hands over. */
  readonly voice: Voice;
  /** The agent's session goes on: it has been told all this before. */
  readonly resumed: boolean;
  /** The producer's own words about its last handoff; given to critics only if the bubble says so. */
  readonly summary?: string;
}

export function briefing(state: State, turn: Turn, inputs: BriefingInputs): string {
  const isCritic = turn.role === state.program.loop.critic;
  if (inputs.resumed && turn.attempt > 0) return reminder(state, turn, inputs, isCritic);
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is the ${turn.role}`,
    inputs.roleText.trim(),
    section("Why it is your turn", isCritic ? criticWhy(state, turn) : turn.why),
    section("What was wrong with the last attempt", turn.attempt > 0 ? (turn.problem ?? "") : ""),
    section("From the human", messages(state, turn)),
    section("Task", `${inputs.task.trim()}\n\nWorktree: ${inputs.worktree}`),
    section("Acceptance criteria", bullets(state.task.criteria)),
    ...(isCritic ? criticSections(state, inputs) : producerSections(state)),
    section("How to answer", howToAnswer(state, inputs, isCritic)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

/** A session that goes on within its turn knows the rest: only what is new, and how to answer. */
function reminder(state: State, turn: Turn, inputs: BriefingInputs, isCritic: boolean): string {
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is still the ${turn.role}`,
    "You were interrupted or did not hand over. Go on where you were; do not start from the beginning.",
    section("What was wrong", turn.problem ?? ""),
    section("From the human", messages(state, turn)),
    section("How to answer", howToAnswer(state, inputs, isCritic)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function howToAnswer(state: State, inputs: BriefingInputs, isCritic: boolean): string {
  if (inputs.voice === "json") return isCritic ? criticAnswer(state) : producerAnswer(state, inputs);
  const verbs = isCritic ? criticVerbs(state) : producerVerbs(state, inputs);
  return inputs.voice === "verbs" ? verbs : `${tools(isCritic)}\n\n${verbs}`;
}

/** The one line that goes into a pane or onto a command line. */
export function notice(state: State, turn: Turn, promptPath: string, voice: "tools" | "verbs"): string {
  const isCritic = turn.role === state.program.loop.critic;
  const how =
    voice === "verbs"
      ? "answer with pairflow pass, converged or ask-human"
      : `answer with the ${isCritic ? "submit_review, converged or ask_human" : "pass or ask_human"} tool of the MCP server pairflow`;
  return `[pairflow] ${state.bubbleId}, round ${state.round}: you are the ${turn.role}. Read ${promptPath} and do what it says; ${how}.`;
}

function tools(isCritic: boolean): string {
  return [
    `End your turn with exactly one call of a tool of the MCP server \`pairflow\` (if you do not see them, search for them): ${
      isCritic ? "`submit_review`, `converged` or `ask_human`" : "`pass` or `ask_human`"
    }.`,
    "The commands below say the same on a command line, for sessions without that server:",
  ].join("\n\n");
}

/** A critic learns why its last review was refused, and nothing of what others thought of this tree. */
function criticWhy(state: State, turn: Turn): string {
  return state.position.refusals > 0 ? turn.why : "This tree waits for a review.";
}

function section(title: string, body: string): string {
  return body.trim() ? `## ${title}\n\n${body.trim()}` : "";
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

function messages(state: State, turn: Turn): string {
  const owed = state.deliveries
    .filter((delivery) => delivery.turn === turn.id)
    .map((delivery) => delivery.text);
  return bullets([...state.notes, ...owed]);
}

function producerSections(state: State): string[] {
  const ran = state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : [];
  const failed = ran.filter((result) => result.status !== "passed");
  const output = failed
    .map(
      (result) =>
        `### ${result.name}: ${result.status} (${result.command})\n\n\`\`\`\n${result.excerpt}\n\`\`\``,
    )
    .join("\n\n");
  return [
    section("Gates that failed on the last handoff", output),
    section("Findings", findings(state)),
    section(
      "Gates the referee will run",
      bullets(state.profile.gates.map((gate) => `${gate.name}: \`${gate.command}\``)),
    ),
    section("Scope", scope(state)),
  ];
}

function criticSections(state: State, inputs: BriefingInputs): string[] {
  const tree = state.tree;
  const files =
    tree?.files.map(
      (file) =>
        `${file.path} (${file.status}${file.added === null ? "" : `, +${file.added} −${file.removed ?? 0}`})`,
    ) ?? [];
  const more = tree && tree.filesTotal > files.length ? [`… and ${tree.filesTotal - files.length} more`] : [];
  const gates = state.gates?.tree === tree?.id ? (state.gates?.results ?? []) : [];
  return [
    section(
      "What you judge",
      `Tree ${tree?.id ?? ""}\nDiff against the base: ${tree?.diff ? inputs.artifact(tree.diff) : "none"}\n\n${bullets([...files, ...more])}`,
    ),
    section(
      "Gates on exactly this tree",
      bullets(gates.map((gate) => `${gate.name}: ${gate.status}`)) ||
        (state.profile.not_available ? `none: ${state.profile.not_available}` : ""),
    ),
    section("How full the producer's context was", fullness(state)),
    section("Findings so far", findings(state)),
    section("What the producer says", state.config.reviewer_sees_summary ? (inputs.summary ?? "") : ""),
  ];
}

/** A model whose window is nearly full overlooks things; only some CLIs tell. */
function fullness({ tree, spent }: State): string {
  const full = tree ? spent.byAgent[tree.by]?.context : undefined;
  return full === undefined ? "" : `${Math.round(full * 100)} %, by its own CLI's figures`;
}

function findings(state: State): string {
  return state.findings.map(describe).join("\n");
}

function describe(finding: Finding): string {
  const place = finding.file ? ` — ${finding.file}${finding.line ? `:${finding.line}` : ""}` : "";
  const marks = [finding.status, finding.proven ? "" : "unproven", finding.escaped ? "escaped earlier" : ""]
    .filter(Boolean)
    .join(", ");
  const evidence = finding.evidence ? `\n  evidence: ${finding.evidence}` : "";
  const dispute = finding.dispute
    ? `\n  disputed by the producer: ${finding.dispute.reason}${finding.dispute.settled ? " (a human upheld the finding)" : ""}`
    : "";
  const closed = finding.closedBecause ? `\n  ${finding.status}: ${finding.closedBecause}` : "";
  return `- **${finding.id}** ${finding.severity} ${finding.title}${place} [${marks}]${evidence}${dispute}${closed}`;
}

function scope(state: State): string {
  const { in: inside, out, do_not_touch: no } = state.config.scope;
  return bullets(
    [
      inside.length ? `only: ${inside.join(", ")}` : "",
      out.length ? `not: ${out.join(", ")}` : "",
      no.length ? `never touch: ${no.join(", ")}` : "",
    ].filter(Boolean),
  );
}

function producerVerbs(state: State, inputs: BriefingInputs): string {
  const missing = missingParts(state.package);
  const parts = ' \\\n  --what "…" --why "…" --risks "…" --test-plan "…" --commit-message "…"';
  return [
    "End your turn with exactly one of these commands, run in the worktree:",
    `\`\`\`\npairflow pass --summary "what you did and why"${parts}\npairflow ask-human --question "one question that blocks you"\n\`\`\``,
    `The five package parts are needed before anything can converge${missing.length < 5 && missing.length > 0 ? ` (still empty: ${missing.join(", ")})` : ""}; repeat one to replace it.`,
    openFindings(state).length > 0
      ? "If a finding is wrong: `--dispute 'F1:reason that can be checked'`."
      : "",
    "If nothing needs to change, say so: `--no-change 'why, with evidence'`.",
    `Files you want to hand in go to ${inputs.out} and are named with \`--ref\`.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const signalRules = [
  'When you are done: `"status": "completed"` with a summary.',
  'When only a human can decide something: `"status": "needs_input"` with `questions`; you go on with the answers.',
  'When you cannot do it: `"status": "error"` with a `message`. When you are not ready: `"status": "in_progress"`.',
].join("\n");

function producerAnswer(state: State, inputs: BriefingInputs): string {
  const missing = missingParts(state.package);
  return [
    "Do the work in the worktree first. Then your final answer is one JSON object of the given schema and nothing else; properties without a value are null or empty.",
    signalRules,
    `\`package\` has the five parts what, why, risks, test_plan, commit_message; all are needed before anything can converge${missing.length < 5 && missing.length > 0 ? ` (still empty: ${missing.join(", ")})` : ""}.`,
    openFindings(state).length > 0
      ? "If a finding is wrong, put it into `disputes` with a reason that can be checked."
      : "",
    "If nothing needs to change, say why in `no_change`, with evidence.",
    "Do not commit: the referee does.",
    `Files you want to hand in go to ${inputs.out}.`,
    answerExample(producerExample),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function criticAnswer(state: State): string {
  const open = openFindings(state).map(({ id }) => id);
  return [
    "Change no file. Your final answer is one JSON object of the given schema and nothing else; properties without a value are null or empty.",
    signalRules,
    "New defects go into `findings`, each with file, line and quoted evidence; an empty list says that you found nothing new. What you looked at and why it is right goes into `checked`.",
    open.length > 0 ? `\`answers\` needs one entry for each open finding: ${open.join(", ")}.` : "",
    "`converged` is true only when no finding is open and nothing else is missing.",
    answerExample(criticExample),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const answerExample = (example: unknown) => `The form:\n\n\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;

const idle = { questions: [], message: null };
const producerExample = {
  status: "completed",
  summary: "what you did and why",
  ...idle,
  package: { what: "…", why: "…", risks: "…", test_plan: "…", commit_message: "…" },
  disputes: [],
  no_change: null,
};
const criticExample = {
  status: "completed",
  summary: "what you found",
  ...idle,
  findings: [{ severity: "P1", title: "…", area: null, file: "path", line: 1, evidence: "quoted text" }],
  answers: [{ id: "F1", status: "fixed", reason: null }],
  checked: [{ file: "path", line: 1, why: "why it is right" }],
  converged: false,
};

function criticVerbs(state: State): string {
  const open = openFindings(state)
    .map((finding) => ` --fixed ${finding.id}|--open ${finding.id}|--withdrawn '${finding.id}:reason'`)
    .join("");
  return [
    "End your turn with exactly one of these commands, run in the worktree:",
    "```",
    `pairflow pass --summary "…"${open} --finding 'P1:Title @ file:line' [--finding …] --checked 'file:line why it is right'`,
    `pairflow pass --summary "…"${open} --no-findings --checked 'file:line why it is right'`,
    `pairflow converged --summary "…"${open} --checked 'file:line why it is right'      (the last clean review, when nothing else is missing)`,
    'pairflow ask-human --question "one question that blocks you"',
    "```",
    'Many findings: `--findings-file review.json` with `[{"severity":"P1","title":"…","file":"…","line":1,"area":"…","evidence":"quoted text"}]`.',
    open ? "Every open finding above needs one of the three answers." : "",
  ]
    .filter(Boolean)
    .join("\n");
}
