// What every kind of records must keep: the promises are the sentences of ports/record/records.ts.
import assert from "node:assert/strict";
import type { State } from "../../core/model/state.ts";
import type { Records, Summary } from "../../ports/record/records.ts";
import { assertFailsWith, defineContract, requireAbility } from "./contract.ts";

export interface RecordsRig {
  readonly records: Records;
  /** The records as another process gets them: same storage, no memory. */
  again(): Records;
  /** Waits until what was saved is in every other process's list. */
  settle?(): Promise<void>;
  /** Changes the stored text of a bubble's cache behind the adapter's back. */
  spoil?(bubble: string, change: (text: string) => string): Promise<void>;
  /** Lets a bubble's log reach this length without a new cache. */
  growLog?(bubble: string, length: number): Promise<void>;
  close(): Promise<void>;
}

const S1 = "S1 a snapshot is whole or absent: a torn, foreign or hand-edited cache reads as absent";
const S2 = "S2 save replaces at once; readers see the old or the new one";
const B1 =
  "B1 an artifact is durable before `put` returns, and is never overwritten: another content gets another name";
const B2 = "B2 names cannot leave the bubble's artifact folder";
const summaries = "summaries of all bubbles; `stale` marks those whose log is longer than their cache";
const folders = "create makes the bubble's folder, and archive moves its record away";
const views = "a view is replaced, for people; failing to write one is not an error, and says why";

/** The cases for one records adapter. */
export const buildRecordsContract = defineContract<RecordsRig>([
  [S1, "what was saved is loaded", checkSavedIsLoaded],
  [S1, "cut, edited or garbage", checkSpoiltIsAbsent],
  [S1, "the cache of another bubble", checkForeignIsAbsent],
  [S2, "the newest save is the one that is read", checkNewestIsRead],
  [S2, "a save for a bubble that is gone is let go", saveWithoutBubble],
  [B1, "the bytes come back, with their hash", checkBytesComeBack],
  [B1, "other bytes get another name, the same bytes the same one", checkNeverOverwritten],
  [B1, "a view does not take an artifact's place", checkViewBesideArtifact],
  [B2, "names that lead away are refused everywhere", checkBadNames],
  [summaries, "all bubbles by name", checkListed],
  [summaries, "a cache that is behind is marked", checkStaleIsMarked],
  [folders, "a bubble is made once", checkMadeOnce],
  [folders, "archived twice under one id, both are kept", checkArchivedTwice],
  [views, "written, replaced, and not written with a reason", checkViewsAreReplaced],
]);

const at = "2026-01-02T03:04:05.678Z";

/** As much of a state as records look at. */
export function buildState(bubbleId: string, seq: number, more: Partial<State> = {}): State {
  const turn = { id: "t1", step: "build", role: "implementer", agent: "codex", status: "running" };
  const fields = {
    v: 2,
    bubbleId,
    seq,
    lifecycle: "RUNNING",
    round: 2,
    roundRoleHistory: [{ round: 1, implementer: "codex" }],
  };
  return {
    ...fields,
    turn,
    activeSince: at,
    lastCommandAt: at,
    notes: ["ü\u2028"],
    ...more,
  } as unknown as State;
}

export function buildSummary(id: string, title = "A title"): Summary {
  return {
    ...{
      id,
      state: "RUNNING",
      round: 2,
      active_agent: "codex",
      active_role: "implementer",
      active_since: at,
    },
    ...{ last_command_at: at, inbox: 1, open_findings: 3, max_rounds: 8, title },
  };
}

export function buildHead(seq: number, length: number) {
  return { seq, token: `${length}:0:${"0".repeat(64)}:${seq}` };
}

async function save(records: Records, bubble: string, seq: number, length = 100): Promise<void> {
  await records.save(
    bubble,
    { state: buildState(bubble, seq), head: buildHead(seq, length) },
    buildSummary(bubble),
  );
}

async function checkSavedIsLoaded({ records, again }: RecordsRig): Promise<void> {
  await records.create("b1");
  assert.equal(await records.load("b1"), undefined);
  await save(records, "b1", 7);
  const { isStillOpen, ...loaded } = (await again().load("b1")) ?? {};
  assert.notEqual(await isStillOpen?.(), false);
  assert.deepEqual(loaded, { state: buildState("b1", 7), head: buildHead(7, 100) });
  assert.equal(await again().load("nobody"), undefined);
}

async function checkSpoiltIsAbsent(rig: RecordsRig): Promise<void> {
  const changes: ((text: string) => string)[] = [
    () => "",
    () => "{}",
    () => "garbage\nof\nlines",
    () => '{"state":"RUNNING"}',
    (text) => text.slice(0, 30),
    (text) => text.slice(0, text.length / 2),
    (text) => text.slice(0, -1),
    (text) => `${text}\n`,
    (text) => text.replace('"round":2', '"round":3'),
    (text) => text.replace('"seq":7', '"seq":8'),
    (text) => text.replace('"token":"100', '"token":"101'),
    (text) => text.replace('"notes":', '"note5":'),
  ];
  await rig.records.create("b1");
  for (const change of changes) {
    await save(rig.records, "b1", 7);
    await requireAbility(rig.spoil)("b1", change);
    assert.equal(await rig.again().load("b1"), undefined, change.toString());
  }
}

async function checkForeignIsAbsent(rig: RecordsRig): Promise<void> {
  let other = "";
  for (const bubble of ["b1", "b2"]) {
    await rig.records.create(bubble);
    await save(rig.records, bubble, 7);
  }
  await requireAbility(rig.spoil)("b2", (text) => {
    other = text;
    return text;
  });
  await requireAbility(rig.spoil)("b1", () => other);
  assert.equal(await rig.again().load("b1"), undefined);
  assert.equal((await rig.again().summaries())[0]?.summary, undefined);
}

async function checkNewestIsRead({ records, again }: RecordsRig): Promise<void> {
  await records.create("b1");
  for (const seq of [1, 2, 3]) await save(records, "b1", seq);
  assert.equal((await again().load("b1"))?.state.seq, 3);
}

async function saveWithoutBubble({ records, again }: RecordsRig): Promise<void> {
  await save(records, "gone", 1);
  assert.equal(await again().exists("gone"), false);
}

async function checkBytesComeBack({ records, again }: RecordsRig): Promise<void> {
  await records.create("b1");
  const bytes = Uint8Array.from([0, 255, 10, 13, 200]);
  const stored = await records.put("b1", "messages/007-codex-pass.md", bytes);
  assert.equal(stored.name, "messages/007-codex-pass.md");
  assert.equal(stored.sha256, "1f9cece8b4cd1599bfcdba57619cf69095cf166d8988d4353ced835df964c1ab");
  assert.deepEqual(Buffer.from((await again().get("b1", stored.name)) ?? []), Buffer.from(bytes));
  const text = await records.put("b1", "deep/er/note", "ü");
  assert.equal(text.sha256, "607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f");
  assert.equal(await again().get("b1", "absent.md"), undefined);
  assert.equal(await again().get("b1", "messages"), undefined);
  assert.equal(await again().get("nobody", "absent.md"), undefined);
  await assertFailsWith("bubble.not-found", () => records.put("nobody", "note.md", "x"));
}

async function checkNeverOverwritten({ records, again }: RecordsRig): Promise<void> {
  await records.create("b1");
  const put = async (name: string, text: string) => (await again().put("b1", name, text)).name;
  assert.equal(await put("round-001.diff", "one"), "round-001.diff");
  assert.equal(await put("round-001.diff", "two"), "round-001-2.diff");
  assert.equal(await put("round-001.diff", "one"), "round-001.diff");
  assert.equal(await put("round-001.diff", "two"), "round-001-2.diff");
  assert.equal(await put("round-001.diff", "three"), "round-001-3.diff");
  assert.equal(await put("v1.2/notes", "one"), "v1.2/notes");
  assert.equal(await put("v1.2/notes", "two"), "v1.2/notes-2");
  for (const [name, text] of Object.entries({
    "round-001.diff": "one",
    "round-001-2.diff": "two",
    "v1.2/notes": "one",
  })) {
    assert.equal(String(Buffer.from((await again().get("b1", name)) ?? [])), text);
  }
}

async function checkViewBesideArtifact({ records, again }: RecordsRig): Promise<void> {
  await records.create("b1");
  await records.put("b1", "done-package.md", "signed");
  assert.equal(await records.view("b1", "done-package.md", "other"), "an artifact has this name");
  assert.equal(String(Buffer.from((await again().get("b1", "done-package.md")) ?? [])), "signed");
}

async function checkBadNames({ records }: RecordsRig): Promise<void> {
  await records.create("b1");
  const bad = [
    "",
    "/etc/passwd",
    "../x",
    "a/../../x",
    "a/..",
    "./a",
    "a//b",
    "a/",
    "a\\b",
    "a\0b",
    "a\nb",
    ".hidden",
    "x".repeat(301),
  ];
  for (const name of bad) {
    await assertFailsWith("artifact.bad-name", () => records.put("b1", name, "x"));
    await assertFailsWith("artifact.bad-name", () => records.get("b1", name));
    await assertFailsWith("artifact.bad-name", () => records.view("b1", name, "x"));
    await assertFailsWith("artifact.bad-name", async () => records.path("b1", name));
  }
}

async function checkListed({ records, again, settle }: RecordsRig): Promise<void> {
  assert.deepEqual(await records.summaries(), []);
  for (const bubble of ["c", "a", "b"]) await records.create(bubble);
  const long = "\u0001ü".repeat(3000);
  await records.save(
    "a",
    { state: buildState("a", 1), head: { seq: 0, token: "" } },
    buildSummary("a", long),
  );
  await settle?.();
  const found = await again().summaries();
  assert.deepEqual(
    found.map((one) => one.id),
    ["a", "b", "c"],
  );
  assert.deepEqual(found[0], { id: "a", summary: buildSummary("a", long), stale: false });
  assert.deepEqual(found[1], { id: "b", stale: true });
}

async function checkStaleIsMarked(rig: RecordsRig): Promise<void> {
  await rig.records.create("b1");
  await requireAbility(rig.growLog)("b1", 100);
  await save(rig.records, "b1", 7, 100);
  await rig.settle?.();
  assert.equal((await rig.again().summaries())[0]?.stale, false);
  await requireAbility(rig.growLog)("b1", 101);
  assert.equal((await rig.again().summaries())[0]?.stale, true);
}

async function checkMadeOnce({ records, again }: RecordsRig): Promise<void> {
  assert.equal(await records.exists("b1"), false);
  await records.create("b1");
  assert.equal(await again().exists("b1"), true);
  await assertFailsWith("bubble.exists", () => again().create("b1"));
  assert.equal(await again().readConfig("b1"), undefined);
  await records.writeConfig("b1", 'id = "b1"\n');
  assert.equal(await again().readConfig("b1"), 'id = "b1"\n');
  await assertFailsWith("bubble.not-found", () => records.writeConfig("nobody", ""));
}

async function checkArchivedTwice({ records, again }: RecordsRig): Promise<void> {
  const places = new Set<string>();
  for (let i = 0; i < 3; i += 1) {
    await records.create("b1");
    await records.put("b1", "note.md", String(i));
    places.add(await again().archive("b1"));
    assert.equal(await records.exists("b1"), false);
  }
  assert.equal(places.size, 3);
  await assertFailsWith("bubble.not-found", () => records.archive("b1"));
}

async function checkViewsAreReplaced({ records }: RecordsRig): Promise<void> {
  await records.create("b1");
  assert.equal(await records.view("b1", "inbox.ndjson", "one\n"), undefined);
  assert.equal(await records.view("b1", "inbox.ndjson", "two\n"), undefined);
  assert.equal(await records.view("nobody", "inbox.ndjson", "x"), "There is no bubble nobody.");
  assert.equal(await records.exists("nobody"), false);
  assert.match(records.path("b1", "inbox.ndjson"), /^\/.*b1\/inbox\.ndjson$/);
  assert.equal(await records.here("b1", "inbox.ndjson"), records.path("b1", "inbox.ndjson"));
}
