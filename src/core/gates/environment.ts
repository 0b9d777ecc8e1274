// The environment that a setup command makes in a fresh tree: its programs come first in gates, so a tool that it brings need not
// be on the machine.
import type { Gate } from "../model/gate.ts";

/** Whether a setup command makes an environment for Python, as pip, uv and Poetry do. */
export const hasPythonEnvironment = (setup = ""): boolean =>
  /\bvirtualenv\b|venv\b|\buv sync\b|\bpoetry install\b/.test(setup);

/** A tool that pip installs is what such an environment is made for; which ones it has shows when the gates run on the base. */
export const isBroughtBySetup = (
  { install = "" }: Pick<Gate, "install">,
  setup: string | undefined,
): boolean => hasPythonEnvironment(setup) && /\bpip install\b/.test(install);
