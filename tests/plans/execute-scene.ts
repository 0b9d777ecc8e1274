// A committed plan on stage, and the commands a person types to execute it.
import { type ChildProcess, spawn } from "node:child_process";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { TreeNode } from "../../src/core/views/tree/run.ts";
import { cli, type Ran, type Rig } from "../acceptance/rig.ts";
import { linesOf } from "../cli/workflow-scene.ts";
import { confirmSettings } from "../helpers/trust.ts";
import type { Scene } from "../scenarios/scene.ts";
import { stage, plan as usualPlan } from "./scene.ts";

export const roles = {
  planner: "planner",
  "plan-reviewer": "critic",
  developer: "dev",
  reviewer: "rev",
  integrator: "dev",
};

export const slug = "totals";

/** A scene with all roles; those without a script never have a turn. */
export function shop(agents: Readonly<Record<string, readonly unknown[]>>): Scene {
  const idle = [{ steps: [{ crash: 3 }] }];
  return stage({ planner: idle, critic: idle, dev: idle, rev: idle, ...agents }, roles);
}

/** `pairflow plan`: a committed plan of that name, with these parts. */
export async function committed({ tool }: Scene, over: object = {}): Promise<void> {
  const { title, ...text } = usualPlan(over);
  const lists = Object.entries(text.constraints).flatMap(([key, entries]) =>
    (entries as string[]).flatMap((entry) => [`--${key.replaceAll("_", "-")}`, entry]),
  );
  const parts = (["situation", "mission", "execution", "coordination"] as const).flatMap((part) => [
    `--${part}`,
    text[part],
  ]);
  await tool.ok("plan", title, "--slug", slug, ...parts, ...lists);
}

/** `pairflow tasks --file … --yes`. */
export async function withTasks({ tool }: Scene, list: readonly object[]): Promise<void> {
  tool.write("own-tasks.json", JSON.stringify(list));
  await tool.ok("tasks", slug, "--file", "own-tasks.json", "--yes");
}

export const executes = ({ tool }: Scene, ...flags: string[]): Promise<Ran> =>
  tool.run("execute", slug, "--test", "true", ...flags);

/** A command whose process can be ended. */
export function begins(tool: Rig, ...args: string[]): { child: ChildProcess; ended: Promise<Ran> } {
  confirmSettings(tool);
  const child = spawn(tool.node, [cli, ...args], {
    ...{ cwd: tool.repo, env: tool.env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
  const ended = new Promise<Ran>((resolve) =>
    child.once("close", (code) => resolve({ code: code ?? 128, ...said })),
  );
  return { child, ended };
}

/** The tree of its newest run; null before there is one. */
export async function treeOf({ tool }: Scene): Promise<TreeNode | null> {
  return JSON.parse(await tool.ok("plan", "status", slug, "--json")).tree;
}

/** When a bubble had its first turn and when it was over. */
export function spanOf(tool: Rig, bubble: string): { from: string; to: string } {
  const log = tool.log(bubble);
  return { from: linesOf(log, "TURN_STARTED")[0]?.ts ?? "", to: log.at(-1)?.ts ?? "" };
}

export const typesIn = (log: readonly Envelope[]): string[] => log.map(({ type }) => type);
