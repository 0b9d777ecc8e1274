// What lies between two turns without a terminal: from an agent's last words to the first moment of the next agent's
// process, gates taken off. The agents are shell scripts that answer at once and tell both moments themselves, so that
// nobody is asked who is being measured.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bench } from "./bubbles.mjs";
import { gapFigures, gatesBetween } from "./measure.mjs";

/** Producers change one line each time; critics find one defect each time, until the rounds are used up. */
const agent = (times) => `#!/bin/bash
began=$EPOCHREALTIME
# Real turns take seconds: by the end of the first, the files that were just checked out are at rest.
[ "$PAIRFLOW_TURN_ID" = t1 ] && sleep 2.5
if [ "$PAIRFLOW_ROLE" = implementer ]; then
  echo "$began" > work.txt
  answer='{"status":"completed","summary":"done","package":{"what":"w","why":"w","risks":"r","test_plan":"t","commit_message":"c"}}'
else
  round=$(( (\${PAIRFLOW_TURN_ID#t} + 1) / 2 ))
  answers=
  [ "$round" -gt 1 ] && answers='{"id":"F'$((round - 1))'","status":"fixed"}'
  answer='{"status":"completed","summary":"look","tree":"'$PAIRFLOW_TREE'","findings":[{"severity":"P1","title":"Defect '$round'","file":"work.txt","line":1,"evidence":"e"}],"prior_findings":['$answers']}'
fi
echo "$PAIRFLOW_TURN_ID $PAIRFLOW_ROLE $began $EPOCHREALTIME" >> ${times}
printf '%s\\n' "$answer"
`;

export async function headless(bubbles) {
  const b = bench("headless");
  try {
    const small = Array.from({ length: bubbles }, (_, n) => gapsOf(b, `gap${n}`)).flat();
    fill(b, 2000);
    const large = gapsOf(b, "large");
    const figures = [
      ...gapFigures(small, { producer: "headless.producer", critic: "headless.critic" }),
      ...gapFigures(large, { producer: "headless.producer-2000", critic: "headless.critic-2000" }),
    ];
    return { title: "Between two turns without a terminal", figures };
  } finally {
    b.close();
  }
}

/** One bubble that runs until its rounds are used up, and the gaps between its turns. */
function gapsOf(b, id) {
  const program = join(b.folder, `${id}.sh`);
  const times = join(b.folder, `${id}.times`);
  writeFileSync(program, agent(times));
  chmodSync(program, 0o755);
  b.pairflow("bubble", "create", "--id", id, "--task", "Bench", "--test", "true");
  const toml = join(b.repo, ".pairflow/bubbles", id, "bubble.toml");
  const agents = ["codex", "claude"].map(
    (name) => `\n[agent.${name}]\nadapter = "command"\ncommand = "${program}"\n`,
  );
  const settings = readFileSync(toml, "utf8").replace("enabled = true", "enabled = false");
  writeFileSync(toml, settings + agents.join(""));
  b.pairflow("bubble", "start", "--yes", "--id", id, "--headless");
  const log = b.log(id);
  const turns = readFileSync(times, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  return turns.slice(1).map(([turn, , began], i) => {
    const [before, role, , ended] = turns[i];
    return { role, ms: (Number(began) - Number(ended)) * 1000 - gatesBetween(log, before, turn) };
  });
}

function fill(b, count) {
  for (let n = 0; n < count; n++) {
    const folder = join(b.repo, "many", `part-${n % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${n}.txt`), `file ${n}\n`.repeat(20));
  }
  b.sh("git", "add", "-A");
  b.sh("git", "commit", "-q", "-m", "many files");
}
