// The world that the composition root fills in, what its parts are called, and the wake-up call of a loop that waits.

export {
  fetchCommits,
  fetchRootBase,
  sendBase,
  sendCommit,
  sendCommits,
  sendRootBase,
} from "../handle/travel.ts";
export { Conversations } from "../world/conversations.ts";
export { WakeUp } from "../world/wake-up.ts";
export {
  buildDriverMarker,
  buildTurnMarker,
  buildWorkMarker,
  getWorkspacePlace,
  isDriverMarker,
  type RecordWorld,
  type World,
} from "../world/world.ts";
