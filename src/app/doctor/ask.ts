// Asking another program a question it should answer at once. One that is missing, hangs or talks without end is an
// answer too: nothing another program does may stop the doctor.
import { tmpdir } from "node:os";
import { exec } from "../../adapters/process/exec.ts";
import { Failure } from "../../ports/failure.ts";
import type { ExecResult } from "../../ports/system/process.ts";
import { pickAllowedEnv } from "../host/environment.ts";

export interface ProgramQuestion {
  /** The whole environment; the common allow-list if left out. */
  readonly env?: Readonly<Record<string, string>>;
  /** A neutral folder if left out: nothing a repository holds shall steer the program. */
  readonly cwd?: string;
  readonly input?: string;
  readonly limitMs?: number;
}

export type ProgramAnswer = ExecResult | Silence;

export interface Silence {
  readonly silent: "missing" | "slow" | "broken";
  readonly says: string;
}

export const usualLimitMs = 5_000;
const mostBytes = 1024 * 1024;

export async function ask(argv: readonly string[], question: ProgramQuestion = {}): Promise<ProgramAnswer> {
  const { env = pickAllowedEnv(process.env), cwd = tmpdir(), input, limitMs = usualLimitMs } = question;
  try {
    const options = { env, cwd, timeoutMs: limitMs, maxBytes: mostBytes };
    return await exec(argv, { ...options, ...(input === undefined ? {} : { input }) });
  } catch (error) {
    if (error instanceof Failure) return { silent: kinds[error.code] ?? "broken", says: error.message };
    throw error;
  }
}

const kinds: Readonly<Record<string, Silence["silent"]>> = {
  "process.not-found": "missing",
  "process.timeout": "slow",
};

/** What it printed on stdout when it ended well. */
export function getStdout(answer: ProgramAnswer): string | undefined {
  return "silent" in answer || answer.code !== 0 ? undefined : answer.stdout;
}

/** One sentence on why there is no answer to use: what hinders it, or its own first line of complaint. */
export function describeMissingAnswer(answer: ProgramAnswer): string {
  if ("silent" in answer) return answer.says;
  const first = `${answer.stderr}\n${answer.stdout}`.split("\n").find((line) => line.trim() !== "");
  return first?.trim() ?? `it ended with exit code ${answer.code} and said nothing`;
}
