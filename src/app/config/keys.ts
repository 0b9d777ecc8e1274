// Every setting of bubble.toml in words: what it is for (the comment beside it in the file) and what it must be (the
// sentence when it is something else). The schema decides; these are only the texts, in the order in which the file is written.
import type { BubbleConfig } from "../../core/model/config.ts";

interface Setting {
  readonly about: string;
  readonly must: string;
  /** Shown commented out while the setting has no value. */
  readonly example?: string | boolean | readonly string[];
}

const minutes = "be a number of minutes, more than 0 and at most 10080 (a week)";
const flag = "be true or false";

export const settings: Readonly<Record<keyof BubbleConfig, Setting>> = {
  id: {
    about: "name of the bubble",
    must: "be 1–63 letters, digits, - or _, starting with a letter or digit",
  },
  repo_path: { about: "the repository", must: "be an absolute path" },
  base_branch: { about: "the branch it starts from", must: "be the name of a branch" },
  bubble_branch: { about: "the branch it works on", must: "be the name of a branch" },
  work_mode: { about: "worktree | clone", must: 'be "worktree" or "clone"' },
  kind: { about: "implementation | document", must: 'be "implementation" or "document"' },
  workflow: { about: "what the bubble runs", must: "be the name of a workflow, such as pair" },
  quality_mode: { about: "strict is the only mode", must: 'be "strict"' },
  reviewer_context_mode: {
    about: "fresh | persistent; fresh: every review starts with a clean context",
    must: 'be "fresh" or "persistent"',
  },
  reviewer_sees_summary: { about: "show the reviewer what the implementer says about its work", must: flag },
  watchdog_timeout_minutes: { about: "without a sign of life, before a human is asked", must: minutes },
  turn_timeout_minutes: {
    about: "without an answer, signs of life or not, before a human is asked",
    must: minutes,
  },
  wait_for_quota: { about: "wait for an account that is used up; false: ask a human at once", must: flag },
  max_rounds: { about: "before a human is asked how to continue", must: "be a whole number from 1 to 1000" },
  commit_requires_approval: { about: "always true", must: "be true" },
  open_command: {
    about: "what `pairflow bubble open` runs",
    must: "be a command line; {{worktree_path}} stands for the worktree",
  },
  try_command: {
    about: "what `pairflow bubble try` runs: the change, for you to look at; PORT and DATA_DIR are variables",
    must: "be a command line",
    example: "npm start",
  },
  setup: { about: "run once in the fresh tree", must: "be a command line", example: "npm ci" },
  setup_needs: {
    about: "labels of the machines on which the setup can run, where several share the work",
    must: "be a list of labels of machines, such as docker",
    example: ["docker"],
  },
  final_gates: {
    about: "clean | worktree; clean: the gates an approval rests on run on a clean checkout",
    must: 'be "clean" or "worktree"',
    example: "clean",
  },
  base_gates: {
    about: "clean | off; clean: the gates run once on the base before any agent is started",
    must: 'be "clean" or "off"',
    example: "clean",
  },
  worktrees: {
    about: "the folder that holds the worktrees, for tests that refuse to run below a folder with a dot",
    must: "be a folder that begins with /, ~/, ./ or ../",
    example: "~/worktrees",
  },
  git_filters: {
    about: "filters of git that may run, such as lfs; others do not, and their files stay as git has them",
    must: "be a list of names, as they stand behind filter= in .gitattributes",
    example: ["lfs"],
  },
  approval: {
    about: "any | proven | passkey | passkey-from-T2; proven: a terminal that a person has opened, or a key",
    must: 'be "any", "proven", "passkey" or "passkey-from-T2"',
    example: "proven",
  },
  second_person: {
    about: "who approves must not be who has started the bubble",
    must: flag,
    example: true,
  },
  sandbox_home: {
    about: "what of your home gates, setup and agents without a sandbox of their own may read",
    must: "be a list of paths from the home, such as .npmrc",
    example: [".npmrc"],
  },
  implements: {
    about: "the approved document bubble this one implements",
    must: "be the id of a document bubble",
    example: "cart-prd",
  },
  require_document: { about: "implement only what an approved document bubble describes", must: flag },
  agents: { about: "who plays which role first", must: "be a table that names an agent for each role" },
  agent: {
    about: "how one agent is run: its adapter and the adapter's own settings",
    must: "be tables [agent.<name>], each with an adapter",
  },
  commands: {
    about:
      'gates as confirmed, run on every handoff: name = "command", or { command = "…", required = false }',
    must: "be a table of gates: a command line or a table for each name",
  },
  scope: {
    about: "which files may change: globs; an empty `in` means all",
    must: "be a table with in, out and do_not_touch (and also_in)",
  },
  severity: {
    about: "where even a P2 or P3 keeps the loop going",
    must: "be a table with core_paths and core_areas",
  },
  review: {
    about: "how reviews are said and what they must prove",
    must: "be a table with dialect, require_evidence, min_confidence, blind and context_chars",
  },
  document: {
    about: "the document that a document bubble writes",
    must: "be a path inside the repository, such as docs/cart.md",
    example: "docs/cart.md",
  },
  budget: {
    about: 'hard limits, each a number or "off"; at one of them a human is asked',
    must: "be a table with max_tokens, max_usd and max_minutes",
  },
  notifications: {
    about: "how a waiting human is called",
    must: "be a table with enabled, desktop, waiting_human_sound, converged_sound, command and webhook",
  },
};

const globs = "be a list of globs such as src/**";
const glob = "be a glob such as src/**";
const amount = 'be a number more than 0, or "off"';
const pattern = "be a regular expression of at most 200 characters";
const label = "be a label such as docker: small letters, digits and -, and not has-…";
const sound = "be the path of a sound file";

/** What the parts of tables and lists must be; `*` stands for a free word, `[]` for an item of a list. */
export const parts: Readonly<Record<string, string>> = {
  "agents.*": "be the short name of an agent, such as codex",
  "agent.*": "be a table with an adapter",
  "agent.*.adapter": "be the name of an adapter",
  "commands.*": "be a command line, or a table with a command",
  "commands.*.command": "be a command line of at most 4000 characters",
  "commands.*.required": flag,
  "commands.*.timeout": "be seconds, from 1 to 86400",
  "commands.*.threshold": "be a percentage from 0 to 100",
  "commands.*.report": "be a file inside the repository",
  "commands.*.trigger": globs,
  "commands.*.trigger[]": glob,
  "commands.*.working_dir": "be a folder inside the repository",
  "commands.*.parallel": flag,
  "commands.*.isolated": flag,
  "commands.*.install": "be a sentence that says how to get the tool",
  "commands.*.success_pattern": pattern,
  "commands.*.failure_pattern": pattern,
  "commands.*.allow_empty": flag,
  "commands.*.network": 'be "on" or "off"',
  "commands.*.needs": "be a list of labels of machines, such as docker",
  "commands.*.needs[]": label,
  "setup_needs[]": label,
  "scope.in": globs,
  "scope.out": globs,
  "scope.do_not_touch": globs,
  "scope.also_in": "be a list of lists of globs; a file must be in each of them too",
  "scope.also_in[]": globs,
  "scope.in[]": glob,
  "scope.out[]": glob,
  "scope.do_not_touch[]": glob,
  "severity.core_paths": globs,
  "severity.core_paths[]": glob,
  "severity.core_areas": "be a list of areas such as security",
  "severity.core_areas[]": "be the name of an area such as security",
  "review.dialect": 'be "findings", "decision", "status", "verdict" or "challenge"',
  "review.require_evidence": flag,
  "review.min_confidence": "be a number from 0 to 1",
  "review.blind": flag,
  "review.context_chars": "be a whole number, at least 1000",
  "budget.max_tokens": amount,
  "budget.max_usd": amount,
  "budget.max_minutes": amount,
  "notifications.enabled": flag,
  "notifications.waiting_human_sound": sound,
  "notifications.converged_sound": sound,
  "notifications.command": "be a command line",
  "notifications.desktop": flag,
  "notifications.webhook": "be an address that begins with http:// or https://",
};

/** What begins with hook: is one of the repository's own commit hooks. */
const gateName = /^(?!hook:)[a-z0-9][a-z0-9:_-]{0,39}$/i;

/** Tables in which any word may stand as a key, and what such a word must be. */
export const freeWords: Readonly<Record<string, { readonly pattern: RegExp; readonly must: string }>> = {
  agents: {
    pattern: /^[a-z][a-z0-9_-]{0,59}$/i,
    must: "is no name for a role: letters, digits, - and _, a letter first",
  },
  agent: {
    pattern: /^[a-z][a-z0-9_.-]{0,39}$/i,
    must: "is no name for an agent: letters, digits, -, _ and ., a letter first, at most 40",
  },
  commands: {
    pattern: gateName,
    must: "is no name for a gate: letters, digits, -, _ and :, at most 40; hook: is for commit hooks",
  },
};

export const isGateName = (word: string): boolean => gateName.test(word);
