// Opening a worktree with the command that bubble.toml names. The path is quoted here, so the template needs no quotes.
import { refuse } from "../../core/model/refusal.ts";
import { listTrustedPrograms } from "../../core/trust/programs.ts";
import { Failure } from "../../ports/failure.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { getConfigFile } from "../host/locate.ts";
import { confirmPrograms } from "../trust/confirm.ts";
import { loadCallState, type OperatorCall } from "../trust/operator-call.ts";

export async function openWorktree(
  call: OperatorCall,
  onlyPrint: boolean,
): Promise<{ command: string; worktree: string }> {
  const state = await loadCallState(call);
  const worktree = state.workspace?.path;
  if (!worktree)
    throw refuse(
      "open.no-worktree",
      `${call.bubble} has no worktree yet`,
      `pairflow bubble start --id ${call.bubble}`,
    );
  const quoted = `'${worktree.replaceAll("'", "'\\''")}'`;
  const config = { ...state.config, ...(await readOpenCommand(call)) };
  const command = config.open_command.replaceAll("{{worktree_path}}", quoted);
  if (onlyPrint) return { command, worktree };
  const programs = listTrustedPrograms({ config, gates: [] }).filter(
    ({ setting }) => setting === "open_command",
  );
  const unconfirmed = await confirmPrograms(call, programs);
  if (unconfirmed)
    throw {
      ...unconfirmed,
      hint: `look at the command, then: pairflow bubble open --id ${call.bubble} --yes`,
    };
  const output = call.world.paths.output(call.bubble, "open.log");
  const result = await call.world.processes.run({
    command,
    cwd: worktree,
    env: call.world.gateEnv,
    timeoutMs: 15_000,
    output,
    work: `${call.world.tag}/open/${call.bubble}`,
  });
  if (result.status === "not-found" || (result.status === "exited" && result.exitCode !== 0)) {
    throw new Failure("open.failed", `open_command failed: ${command}`, {
      hint: `set open_command in bubble.toml, or cd ${worktree}`,
    });
  }
  return { command, worktree };
}

/** As bubble.toml says now: an editor is chosen at any time, and nothing of the record depends on it. */
async function readOpenCommand({ world, bubble }: OperatorCall): Promise<{ open_command?: string }> {
  const text = await world.records.readConfig(bubble);
  if (text === undefined) return {};
  const { open_command } = parseBubbleToml(text, getConfigFile(world.repo, bubble));
  return { open_command };
}
