// The payload of the table of all bubbles. No log is read: a page of each cache, and the sign of life of who works now.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { listBubbles } from "../../app/record/listing.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { type BubbleRow, type BubblesPage, buildBubbleRow } from "../../core/views/page/bubbles.ts";

export async function readBubbles(
  repositories: readonly KnownRepository[],
): Promise<Omit<BubblesPage, "words">> {
  const rows = (await Promise.all(repositories.map(listRows))).flat();
  return {
    page: "bubbles",
    repositories: repositories.map(({ name }) => name),
    waiting: null,
    rows,
    active: rows.filter(({ mark }) => mark === "works" || mark === "silent").length,
  };
}

async function listRows({ name, path }: KnownRepository): Promise<BubbleRow[]> {
  const world = createRecordWorld(path);
  const listed = await listBubbles(world);
  const living = await world.runtime.listLiving(listed.flatMap(({ id, driven }) => (driven ? [id] : [])));
  return listed.map((bubble) => buildBubbleRow(name, bubble, living.get(bubble.id)));
}
