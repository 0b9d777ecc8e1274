// Notices are best effort: they ring, play and run what they can, and never fail the bubble or hold it up.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNotifier } from "../../src/adapters/notifier/local.ts";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import type { Notice } from "../../src/ports/system/notifier.ts";
import { readTextOrEmpty } from "../../src/testing/contracts/seat.ts";

const processes = createNodeProcesses();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pf-notify-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A sound player that writes down what it was asked to play. */
function player(name: string, exitCode = 0): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho ${name} "$@" >> "${folder}/played"\nexit ${exitCode}\n`);
  chmodSync(file, 0o755);
}

async function tell(more: Partial<Notice>, bell?: { write(text: string): unknown }): Promise<void> {
  const options = { processes, env: { PATH: folder, HOME: folder }, ...(bell ? { bell } : {}) };
  const notice = { event: "waiting-human", bubble: "b1", text: "Keep 'it'? $(id)", ...more } as const;
  await createNotifier(options).tell(notice);
}

test("the bell rings in the given terminal", async () => {
  const heard: string[] = [];
  await tell({}, { write: (text) => heard.push(text) });
  expect(heard).toEqual(["\x07"]);
});

test("a sound is played by the first player that works", async () => {
  player("aplay", 1);
  player("ffplay");
  player("play");
  await tell({ sound: "/s/Ping.aiff" });
  expect(readTextOrEmpty(join(folder, "played"))).toBe(
    "aplay -q /s/Ping.aiff\nffplay -nodisp -autoexit -loglevel quiet /s/Ping.aiff\n",
  );
});

test("a command learns event, bubble and text from its environment", async () => {
  await tell({ command: `echo "$PAIRFLOW_EVENT|$PAIRFLOW_BUBBLE|$PAIRFLOW_TEXT" > ${folder}/told` });
  expect(readTextOrEmpty(join(folder, "told"))).toBe("waiting-human|b1|Keep 'it'? $(id)\n");
});

test("a webhook is sent event, bubble and text; one that answers badly holds nobody up", async () => {
  const heard: unknown[] = [];
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      heard.push([
        request.method,
        request.headers["content-type"],
        JSON.parse(Buffer.concat(parts).toString()),
      ]);
      response.writeHead(500).end("no");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as { port: number };
  await tell({ webhook: `http://127.0.0.1:${port}/hook` });
  receiver.close();
  const said = { event: "waiting-human", bubble: "b1", text: "Keep 'it'? $(id)" };
  expect(heard).toEqual([["POST", "application/json", said]]);
  await tell({ webhook: `http://127.0.0.1:${port}/hook` });
});

test.runIf(process.platform === "linux")("the desktop is told where there is one", async () => {
  player("notify-send");
  await tell({ desktop: true });
  expect(readTextOrEmpty(join(folder, "played"))).toBe("");
  const options = { processes, env: { PATH: folder, HOME: folder, DISPLAY: ":0" } };
  await createNotifier(options).tell({ event: "converged", bubble: "b1", text: "-u done", desktop: true });
  expect(readTextOrEmpty(join(folder, "played"))).toBe(
    "notify-send --app-name=Pairflow -- Pairflow: b1 -u done\n",
  );
});

test("nothing that goes wrong is thrown, and nothing takes longer than five seconds", async () => {
  player("afplay");
  writeFileSync(join(folder, "afplay"), "#!/bin/sh\nexec /bin/sleep 60\n");
  const started = performance.now();
  const broken = {
    write: () => {
      throw new Error("EIO");
    },
  };
  await tell({ sound: "/s/long.wav", command: "/bin/sleep 60" }, broken);
  expect(performance.now() - started).toBeLessThan(6_500);
}, 10_000);
