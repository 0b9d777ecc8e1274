// The circle as other rooms use it: a state read from the log, a command put to the referee.
export { type CommandReply, type FoldedLog, handle, load, loadCache, loadGood } from "../handle/command.ts";
