// The world that the composition root fills in, what its parts are called, and the wake-up call of a loop that waits.
export { Conversations } from "../world/conversations.ts";
export { bringCommits, sendBase, sendCommit, type TravelWorld } from "../world/travel.ts";
export { WakeUp } from "../world/wake-up.ts";
export {
  buildDriverMarker,
  buildWorkMarker,
  getWorkspacePlace,
  isDriverMarker,
  type RecordWorld,
  type World,
} from "../world/world.ts";
