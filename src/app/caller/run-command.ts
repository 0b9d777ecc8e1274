// A command of Pairflow given by a screen, as if the person in front of it had typed it. Apart from attaching to panes, so that
// screens which only list bubbles load nothing of tmux.
import { runInForeground } from "../../adapters/process/foreground.ts";
import { getSelfCommand } from "../host/package-root.ts";

/** Takes the terminal over until it has ended; returns its exit code. */
export const runCommandHere = (words: readonly string[]): Promise<number> =>
  runInForeground([...getSelfCommand(), ...words]);
