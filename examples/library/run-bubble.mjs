// A program that makes a bubble, drives it until it needs a person, and reads its record.
//   node run-bubble.mjs <repository> "<what is to be done>"
// Which agents work is in .pairflow/config.yaml of the repository; without a word Codex implements and Claude Code reviews.
import {
  createBubble,
  foldRecord,
  listBubbles,
  PairflowError,
  readRecord,
  readStatus,
  runBubble,
  verifyRecords,
} from "pairflow";

const [repo, task] = process.argv.slice(2);
const bubble = "from-a-program";

await createBubble({ repo, bubble, task, yes: true });
const { state, questions } = await runBubble({ repo, bubble });
const lines = await readRecord({ repo, bubble });
const begun = await readStatus({ repo, bubble, at: 1 });
const { ok } = await verifyRecords({ repo, bubble });
const rows = await listBubbles({ repo });
const refused = await readStatus({ repo, bubble: "none" }).catch((error) => error);
const result = {
  state,
  asks: questions.map(({ text }) => text),
  last: lines.at(-1).type,
  begun: begun.state,
  folded: foldRecord(lines).state,
  ok,
  listed: rows.map((row) => row.bubble),
  refused: refused instanceof PairflowError ? [refused.code, refused.exitCode] : refused,
};
console.log(JSON.stringify(result, null, 2));
