// The configuration of one bubble, as `bubble.toml` spells it. Values only; reading the file is the shell's job.
import * as v from "valibot";
import { Gate } from "./gate.ts";
import { Dialect } from "./review/verdict.ts";
import { Label } from "./value/label.ts";

/** Ids become branch names, tmux sessions, file names: letters, digits, dash and underscore, nothing else. */
export const BubbleId = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/i,
    "must be 1–63 letters, digits, - or _, starting with a letter or digit",
  ),
);
/** Senders that are no agents: an agent of that name would speak with another's voice. */
const senders = ["orchestrator", "human"];
const AgentName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_.-]{0,39}$/i, "must be a short name such as codex"),
  v.check((name) => !senders.includes(name.toLowerCase()), "is the name of a sender, not of an agent"),
);
const minutes = v.pipe(
  v.number(),
  v.gtValue(0, "must be more than 0"),
  v.maxValue(10_080, "must be at most a week"),
);
/** Absent: no limit in records from before there was a default; "off": somebody has switched it off. */
const limit = v.optional(
  v.union([v.pipe(v.number(), v.gtValue(0, "must be more than 0")), v.literal("off")]),
);
const globs = v.optional(v.array(v.pipe(v.string(), v.minLength(1))), []);
const Scope = v.strictObject({
  in: globs,
  out: globs,
  do_not_touch: globs,
  /** Where two rules hold at once: a file must be in each of these lists too. */
  also_in: v.optional(v.array(globs)),
});

/** A path from the home that does not lead out of it. */
const HomePath = v.pipe(
  v.string(),
  v.check(
    (path) =>
      path !== "" && !path.startsWith("/") && !path.split("/").some((part) => [".", "..", ""].includes(part)),
    "must be a path from the home, such as .npmrc",
  ),
);

/** How one agent is run: an adapter's name (open: no list of technologies here) and its settings. */
export const AgentSettings = v.looseObject({ adapter: v.pipe(v.string(), v.minLength(1)) });
export type AgentSettings = v.InferOutput<typeof AgentSettings>;

const { name: _name, required: _required, timeout_seconds: _seconds, ...gateOptions } = Gate.entries;

/** A gate of `[commands]` of which more is said than its command; `timeout` is in seconds. */
export const CommandGate = v.strictObject({
  ...gateOptions,
  required: v.optional(v.boolean()),
  timeout: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(86_400))),
});
export type CommandGate = v.InferOutput<typeof CommandGate>;

const Commands = v.record(v.string(), v.union([v.pipe(v.string(), v.minLength(1)), CommandGate]));

export const BubbleConfig = v.strictObject({
  id: BubbleId,
  repo_path: v.pipe(v.string(), v.startsWith("/", "must be an absolute path")),
  base_branch: v.pipe(v.string(), v.minLength(1)),
  bubble_branch: v.pipe(v.string(), v.minLength(1)),
  work_mode: v.optional(v.picklist(["worktree", "clone"]), "worktree"),
  kind: v.optional(v.picklist(["implementation", "document"]), "implementation"),
  workflow: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]*$/i)), "pair"),
  quality_mode: v.optional(v.literal("strict"), "strict"),
  reviewer_context_mode: v.optional(v.picklist(["fresh", "persistent"]), "fresh"),
  reviewer_sees_summary: v.optional(v.boolean(), false),
  watchdog_timeout_minutes: v.optional(minutes, 5),
  turn_timeout_minutes: v.optional(minutes, 30),
  /** Wait for an account that is used up until it may be used again; false asks a human at once. */
  wait_for_quota: v.optional(v.boolean(), true),
  max_rounds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 8),
  commit_requires_approval: v.optional(v.literal(true), true),
  open_command: v.optional(v.string(), "cursor {{worktree_path}}"),
  /** What runs the change for a person; absent: nobody has said. */
  try_command: v.optional(v.string()),
  setup: v.optional(v.string()),
  /** Labels of the machines on which it can run, where several share the work. */
  setup_needs: v.optional(v.array(Label)),
  /** Where the gates run that an approval rests on; absent: on a clean checkout. */
  final_gates: v.optional(v.picklist(["clean", "worktree"])),
  /** Whether the gates run on the base before any agent is started; absent: they do, on a clean checkout. */
  base_gates: v.optional(v.picklist(["clean", "off"])),
  /** The folder that holds the worktrees, from the repository if it is relative; absent: beside the repository. */
  worktrees: v.optional(
    v.pipe(v.string(), v.regex(/^(?:~?\/|\.\.?\/)./, "must begin with /, ~/, ./ or ../")),
  ),
  /** Filters of git (`filter=<name>` in .gitattributes) that may run, as the user's own configuration defines them. */
  git_filters: v.optional(
    v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/, "must be the name of a filter"))),
  ),
  /** Which door an approval may come through; absent: any. */
  approval: v.optional(v.picklist(["any", "proven", "passkey", "passkey-from-T2"])),
  /** Who approves must not be who has started the bubble. */
  second_person: v.optional(v.boolean()),
  /** What of the home gates, setup and agents without a sandbox of their own may read: paths from the home. */
  sandbox_home: v.optional(v.array(HomePath)),
  implements: v.optional(BubbleId),
  require_document: v.optional(v.boolean(), false),
  agents: v.record(v.string(), AgentName),
  agent: v.optional(v.record(AgentName, AgentSettings), {}),
  /** Gates by name: since the creation all that were confirmed; in older records those of the settings only. */
  commands: v.optional(Commands, {}),
  scope: v.optional(Scope, { in: [], out: [], do_not_touch: [] }),
  severity: v.optional(
    v.strictObject({
      core_paths: globs,
      core_areas: v.optional(v.array(v.string()), ["core-logic", "security", "data-integrity"]),
    }),
    { core_paths: [], core_areas: ["core-logic", "security", "data-integrity"] },
  ),
  /** How reviews are said and what they must prove. */
  review: v.optional(
    v.strictObject({
      dialect: v.optional(Dialect, "findings"),
      require_evidence: v.optional(v.boolean(), true),
      min_confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0.7),
      /** The producer sees neither SOPs nor what reviewers judge by. */
      blind: v.optional(v.boolean(), true),
      /** Characters of SOPs, prior decisions and conventions a critic is told at most. */
      context_chars: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1000)), 200_000),
    }),
    // Records from before this setting: what their bubbles were promised. New ones always spell it (app/config-file.ts).
    {
      dialect: "findings",
      require_evidence: false,
      min_confidence: 0.7,
      blind: false,
      context_chars: 200_000,
    },
  ),
  /** A document bubble's document, as a path in the repository. */
  document: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.check(
        (path) => !path.startsWith("/") && !path.split("/").includes(".."),
        "must be a path inside the repository",
      ),
    ),
  ),
  /** Hard limits of the whole bubble; reaching one is a question to a human. */
  budget: v.optional(v.strictObject({ max_tokens: limit, max_usd: limit, max_minutes: limit }), {}),
  notifications: v.optional(
    v.strictObject({
      enabled: v.optional(v.boolean(), true),
      waiting_human_sound: v.optional(v.string()),
      converged_sound: v.optional(v.string()),
      command: v.optional(v.string()),
      /** A notice of the desktop, where there is one; on unless it says false. */
      desktop: v.optional(v.boolean()),
      /** An address that is sent each notice as JSON. */
      webhook: v.optional(
        v.pipe(v.string(), v.regex(/^https?:\/\/\S+$/, "must be an address that begins with http")),
      ),
    }),
    { enabled: true },
  ),
});
export type BubbleConfig = v.InferOutput<typeof BubbleConfig>;

/** What the record holds since the bubble was created: base, workflow with its limits. Not even a fresh bubble may change these. */
export const pinnedAtCreation = [
  "id",
  "repo_path",
  "base_branch",
  "worktrees",
  "kind",
  "workflow",
  "max_rounds",
  "implements",
  "require_document",
  "document",
] as const satisfies readonly (keyof BubbleConfig)[];

/** What may be changed in bubble.toml once the bubble has started; everything else is pinned at the start. */
export const changeableWhileRunning = [
  "watchdog_timeout_minutes",
  "turn_timeout_minutes",
  "wait_for_quota",
  "budget",
  "open_command",
  "try_command",
  "notifications",
  "reviewer_context_mode",
  "reviewer_sees_summary",
  "agent",
] as const satisfies readonly (keyof BubbleConfig)[];

/** Why two values the specification mentions are refused: unsafe by decision, not by accident. */
export const refusedSettings = {
  quality_mode:
    'only "strict" exists: "balanced" is left out on purpose, to avoid undefined policy behaviour',
  commit_requires_approval:
    "must be true: a commit happens only after an explicit human approval; this gate cannot be switched off",
} as const;
