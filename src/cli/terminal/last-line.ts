// The last line of a terminal while something takes long: drawn over again and again, and gone before anything else is said.
import { isTerminal, writeAll } from "./terminal.ts";

export interface LastLine {
  /** Says a line above it. */
  say(line: string): void;
  /** What it shows now; nothing takes it away. */
  draw(text?: string): void;
}

const clear = "\r\u001b[K";

export function createLastLine(say: (line: string) => void): LastLine {
  let isDrawn = false;
  const draw = (text?: string) => {
    if (isDrawn) writeAll(2, clear);
    isDrawn = text !== undefined;
    if (text !== undefined) writeAll(2, text);
  };
  return {
    say: (line) => {
      draw();
      say(line);
    },
    draw,
  };
}

/** Whether there is a terminal to draw it on, and nobody who reads the output as data. */
export const canDrawLastLine = ({ json }: { readonly json?: boolean }): boolean => isTerminal(2) && !json;
