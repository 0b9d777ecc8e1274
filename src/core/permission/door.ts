// Whether a person stands behind a terminal, by what started its session. It proves no person; it tells a terminal that a
// person opened from one that a program made for itself.
import type { Door } from "../model/door.ts";

/** Programs that give a terminal to somebody who has logged in or sits at the machine. */
const givers: readonly RegExp[] = [
  /^(?:login|agetty|sshd|sshd-session|dropbear|mosh-server|telnetd)\b/,
  /^(?:gnome-terminal|konsole|xterm|uxterm|alacritty|kitty|wezterm|foot|ghostty|terminator|tilix|ptyxis|yakuake|guake)/,
  /^(?:xfce4-terminal|lxterminal|mate-terminal|deepin-terminal|terminology|st|rxvt|urxvt|hyper|tabby|warp|rio|cosmic-term)/i,
  /^(?:code|code-insiders|codium|cursor|zed|iTerm2|Terminal|Electron)\b/,
];

export interface Session {
  readonly leader: NonNullable<Door["leader"]>;
  readonly ancestors: NonNullable<Door["ancestors"]>;
  /** The leader or something above it carries the marker of a turn or a gate. */
  readonly isMarked: boolean;
  /** For a pane of tmux: what stands above each client that is attached to it. */
  readonly clients?: readonly (readonly string[])[];
}

/** Why nothing shows that a person sits there; undefined when something does. */
export function checkSession(session: Session | undefined): string | undefined {
  if (!session) return "this system does not tell what started a terminal";
  const { leader, ancestors, isMarked, clients } = session;
  if (isMarked) return `${leader.program} (process ${leader.pid}) was started by a turn or a gate`;
  const above = ancestors.map(({ program }) => program);
  if (isGiven([leader.program, ...above]) || isFromOutside(session)) return undefined;
  if (above.some((program) => program.startsWith("tmux: server")))
    return clients?.some(isGiven)
      ? undefined
      : "nobody is attached to the tmux pane from a login, ssh or a terminal program";
  return `no login, ssh, tmux client or terminal program stands above ${leader.program} (process ${leader.pid})`;
}

const isGiven = (programs: readonly string[]) =>
  programs.some((program) => givers.some((giver) => giver.test(program)));

/** A session that entered a container from outside has no parent inside; nothing inside can make one. */
function isFromOutside({ leader, ancestors }: Session): boolean {
  return leader.pid === 1 || (ancestors.length === 0 && leader.pid > 1);
}
