// Opening a worktree with the command the bubble names. The path is quoted here, so the template needs no quotes.
import { refuse } from "../core/model/refusal.ts";
import { Failure } from "../ports/failure.ts";
import { type Desk, stateOf } from "./operate/desk.ts";
import { confirmSettings } from "./trust/confirm.ts";

export async function openWorktree(
  desk: Desk,
  onlyPrint: boolean,
): Promise<{ command: string; worktree: string }> {
  const state = await stateOf(desk);
  const worktree = state.workspace?.path;
  if (!worktree)
    throw refuse(
      "open.no-worktree",
      `${desk.bubble} has no worktree yet`,
      `pairflow bubble start --id ${desk.bubble}`,
    );
  const quoted = `'${worktree.replaceAll("'", "'\\''")}'`;
  const command = state.config.open_command.replaceAll("{{worktree_path}}", quoted);
  if (onlyPrint) return { command, worktree };
  const unconfirmed = await confirmSettings(desk, { config: state.config, gates: [] });
  if (unconfirmed) throw unconfirmed;
  const output = desk.world.paths.output(desk.bubble, "open.log");
  const result = await desk.world.processes.run({
    command,
    cwd: worktree,
    env: desk.world.gateEnv,
    timeoutMs: 15_000,
    output,
    work: `${desk.world.tag}/open/${desk.bubble}`,
  });
  if (result.status === "not-found" || (result.status === "exited" && result.exitCode !== 0)) {
    throw new Failure("open.failed", `open_command failed: ${command}`, {
      hint: `set open_command in bubble.toml, or cd ${worktree}`,
    });
  }
  return { command, worktree };
}
