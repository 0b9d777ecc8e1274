// What the server of the page takes when nothing happens: 1,000 bubbles, five tabs of one browser open, each with its payload.
// One stream serves all tabs of a browser, as on the page itself.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bench } from "./bubbles.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");
const bubbles = 1000;
/** Those that are not over: their logs may grow at any moment. */
const open = 5;
const tabs = [
  "/api/inbox",
  "/api/bubbles",
  "/api/insights",
  "/api/b/repo/work-1/overview",
  "/api/b/repo/work-1/log",
];
/** After the first look around, and after what it left behind was collected. */
const settleMs = 20_000;

export async function page(lab, fresh, seconds) {
  const b = bench("page");
  try {
    const place = { ...fresh, repo: b.repo };
    for (let n = 0; n < bubbles; n++) await lab.write(place, `work-${n}`, 30, n >= open);
    const figures = await measure(b, seconds);
    return {
      title: `The page with ${bubbles} bubbles and ${tabs.length} tabs, ${seconds} s at rest`,
      figures,
    };
  } finally {
    b.close();
  }
}

async function measure(b, seconds) {
  const server = spawn(process.execPath, [bin, "ui", "--json"], {
    cwd: b.repo,
    env: b.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ask = await openSession(server);
    const stream = ask.stream("/api/events");
    for (const path of tabs) await ask.get(path);
    await sleep(settleMs);
    const before = cpuMs(server.pid);
    let most = memoryMb(server.pid);
    for (let second = 0; second < seconds; second++) {
      await sleep(1000);
      most = Math.max(most, memoryMb(server.pid));
    }
    const share = ((cpuMs(server.pid) - before) / (seconds * 1000)) * 100;
    stream.destroy();
    return [
      { key: "page.memory", value: most, note: "the most that was seen" },
      { key: "page.cpu", value: share, note: `over ${seconds} s` },
    ];
  } finally {
    server.kill();
  }
}

/** A session as a browser gets it. */
async function openSession(server) {
  const address = new URL(JSON.parse(await firstLine(server.stdout)).address);
  const own = { host: address.host };
  const send = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: address.port,
        method,
        path,
        headers: { ...own, ...headers },
      };
      const sent = request(options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  const written = {
    origin: address.origin,
    "sec-fetch-site": "same-origin",
    "x-pairflow": "1",
    "content-type": "application/json",
  };
  const opened = await send("POST", "/api/open", written, JSON.stringify({ code: address.hash.slice(1) }));
  const cookie = opened.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return {
    async get(path) {
      const { status, text } = await send("GET", path, { cookie });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    },
    stream(path) {
      const options = { host: "127.0.0.1", port: address.port, path, headers: { ...own, cookie } };
      const sent = request(options, (answer) => answer.resume());
      sent.on("error", () => {});
      return sent.end();
    },
  };
}

function firstLine(stream) {
  return new Promise((resolve) => {
    let said = "";
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
      if (said.includes("\n")) resolve(said);
    });
  });
}

const ticksASecond = 100;

function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksASecond;
}

const memoryMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
