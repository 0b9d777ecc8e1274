// Fields of the program that a bubble is pinned to which make no difference in the histories here: each with the file of the rules
// that reads it. That the loader puts another value there for another word of the workflow is shown by tests/config/workflow-keys.

const loop: Readonly<Record<string, string>> = {
  producer: "src/core/state/roles.ts",
  critic: "src/core/state/roles.ts",
  max_rounds: "src/core/limits/rounds.ts",
  clean_passes: "src/core/judge/convergence.ts",
  role_switch: "src/core/judge/convergence.ts",
  exhausted: "src/core/questions/questions.ts",
  "exit.[]": "src/core/judge/exit.ts",
  "chain.[]": "src/core/judge/chain.ts",
  "chain_names.[]": "src/core/judge/chain-judge.ts",
  chain_order: "src/core/judge/chain.ts",
  max_attempts: "src/core/limits/rounds.ts",
  dialect: "src/core/state/workflow-position.ts",
};

const task: Readonly<Record<string, string>> = {
  text: "src/core/briefing/task.ts",
  "roles.*": "src/core/state/roles.ts",
  ...Object.fromEntries(Object.entries(loop).map(([name, file]) => [`loop.${name}`, file])),
  overlay: "src/core/judge/facts.ts",
  role_switch: "src/core/judge/convergence.ts",
  "subtasks.[]": "src/core/judge/exit.ts",
  "checkpoints.[]": "src/core/judge/exit.ts",
  checkpoints: "src/core/judge/exit.ts",
  "confidence.threshold": "src/core/judge/confidence.ts",
  "confidence.metrics.*": "src/core/judge/confidence.ts",
  "confidence.judge": "src/core/judge/confidence.ts",
  "policy.tier": "src/core/judge/tiers.ts",
  "hil.enabled": "src/core/judge/tiers.ts",
  "hil.requires_human": "src/core/judge/tiers.ts",
  "outputs.[]": "src/core/permission/locks.ts",
};

/** A phase is a task that routes enter and leave: what the rules of tasks read, they read of it too. */
const phase: Readonly<Record<string, string>> = {
  ...task,
  key: "src/core/bubble/evolve/tasks/progress.ts",
  title: "src/core/briefing/task.ts",
  "criteria.[]": "src/core/briefing/task.ts",
  first: "src/core/interpreter/tasks.ts",
  "depends_on.[]": "src/core/interpreter/tasks.ts",
  joins: "src/core/bubble/evolve/tasks/progress.ts",
};

/** As `program.loop.exit.[]`: the file that reads it. */
export const programReaders: Readonly<Record<string, string>> = {
  "steps.[]": "src/core/interpreter/interpret.ts",
  max_concurrent: "src/core/interpreter/children.ts",
  ...under(
    "loop",
    pick(loop, ["role_switch", "exhausted", "exit.[]", "chain_order", "max_attempts", "dialect"]),
  ),
  ...under("tasks.[]", task),
  ...under("phases.[]", phase),
};

function under(path: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, file]) => [`${path}.${name}`, file]));
}

function pick(fields: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? ""]));
}
