// The fences of the page, each with the attack it is there for. No port is opened.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { safeHeaders } from "../../src/server/http/policy.ts";
import { openSessions } from "../../src/server/session/sessions.ts";
import { bodyOf, ownHeaders, port, type TestSite, testSite } from "./site.ts";

let page: TestSite;
beforeEach(() => {
  page = testSite();
});
afterEach(() => page.close());

describe("the host name", () => {
  const others = [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `pairflow.localhost:${port}`,
    `guess.pairflow.localhost:${port}`,
    "evil.example",
    "",
  ];
  it.each(others)("%s is refused, for files, payloads and writes alike", async (host) => {
    for (const path of ["/", "/api/inbox", "/api/events"])
      expect(await page.get(path, { headers: { host } })).toMatchObject({ status: 421 });
    const headers = { ...ownHeaders(host), host };
    expect(await page.post("/api/command", {}, { headers })).toMatchObject({ status: 421 });
  });

  it("is ours with another port: refused", async () => {
    const host = page.host.replace(String(port), "4802");
    expect(await page.get("/", { headers: { host } })).toMatchObject({ status: 421 });
  });
});

describe("sessions", () => {
  it("without one there are files and nothing else", async () => {
    expect(await page.ask("/")).toMatchObject({ status: 200 });
    for (const path of ["/api/inbox", "/api/events"]) {
      const refused = await page.ask(path);
      expect(refused).toMatchObject({ status: 401 });
      expect(bodyOf(refused)).toMatchObject({ ok: false, code: "page.session", hint: "pairflow ui" });
    }
  });

  it("a guessed cookie is none", async () => {
    const headers = { cookie: `pairflow=${"a".repeat(43)}` };
    expect(await page.ask("/api/inbox", { headers })).toMatchObject({ status: 401 });
  });

  it("a code makes one session; used again it ends that session and the terminal is told", async () => {
    const code = page.sessions.newCode();
    const open = () =>
      page.ask("/api/open", {
        method: "POST",
        body: JSON.stringify({ code }),
        headers: ownHeaders(page.host),
      });
    const first = await open();
    expect(first).toMatchObject({ status: 200 });
    const setCookie = first.headers["set-cookie"] ?? "";
    expect(setCookie).toMatch(/HttpOnly; SameSite=Strict/);
    const cookie = setCookie.split(";")[0] ?? "";
    expect(await page.ask("/api/inbox", { headers: { cookie } })).toMatchObject({ status: 200 });
    expect(bodyOf(await open())).toMatchObject({ code: "page.code-used" });
    expect(await page.ask("/api/inbox", { headers: { cookie } })).toMatchObject({ status: 401 });
    expect(page.told.join()).toContain("used twice");
  });

  it("a code is good for a minute", async () => {
    const code = page.sessions.newCode();
    page.later(61_000);
    const late = await page.post("/api/open", { code });
    expect(bodyOf(late)).toMatchObject({ ok: false, code: "page.code" });
  });

  it("a session and a host name are good for twelve hours", async () => {
    page.later(12 * 3_600_000 - 1000);
    expect(await page.get("/api/inbox")).toMatchObject({ status: 200 });
    page.later(2000);
    expect(await page.get("/api/inbox")).toMatchObject({ status: 421 });
  });

  it("only hashes are kept, for their owner alone, and they bring open tabs back after a restart", () => {
    const file = join(page.folder, "page", "sessions.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const opened = page.sessions.open(page.sessions.newCode());
    const token = "token" in opened ? opened.token : "";
    const label = page.host.split(".")[0] ?? "";
    const text = readFileSync(file, "utf8");
    expect([text.includes(token), text.includes(label)]).toEqual([false, false]);
    const again = openSessions({ file, now: () => 1_000_000 });
    expect([again.knows(token), again.knowsLabel(label), again.port]).toEqual([true, true, port]);
    expect(again.words).toBe(page.sessions.words);
    const ended = openSessions({ file, now: () => 1_000_000, isNew: true });
    expect([ended.knows(token), ended.knowsLabel(label)]).toEqual([false, false]);
  });
});

it("all sessions and names end when somebody wants new ones", () => {
  const before = page.host.split(".")[0] ?? "";
  expect(page.sessions.knowsLabel(before)).toBe(true);
  const file = join(page.folder, "page", "sessions.json");
  const fresh = openSessions({ file, now: () => 1_000_000, isNew: true });
  const label = fresh.begin(port);
  expect([fresh.knowsLabel(before), fresh.knowsLabel(label)]).toEqual([false, true]);
  const after = openSessions({ file, now: () => 1_000_000 });
  expect(after.knowsLabel(before)).toBe(false);
});

describe("writes", () => {
  const attacks: [string, Record<string, string>][] = [
    ["another origin", { origin: `http://localhost:${port}` }],
    ["no origin", { origin: "" }],
    ["a form of another site", { "sec-fetch-site": "cross-site" }],
    ["another subdomain", { "sec-fetch-site": "same-site" }],
    ["a form's own type", { "content-type": "text/plain" }],
    ["without our own header", { "x-pairflow": "" }],
  ];
  it.each(attacks)("from %s are refused", async (_, headers) => {
    const refused = await page.post("/api/command", {}, { headers });
    expect(refused.status).toBe(403);
    expect(bodyOf(refused)).toMatchObject({ code: "page.origin" });
    expect(await page.post("/api/open", { code: "x" }, { headers })).toMatchObject({ status: 403 });
  });

  it("from below an agent's turn are refused", async () => {
    const { spawn } = await import("node:child_process");
    const agent = spawn("sleep", ["30"], { env: { PATH: process.env.PATH ?? "", PAIRFLOW_TURN: "t1" } });
    try {
      const code = page.sessions.newCode();
      const attacks: [string, unknown][] = [
        ["/api/command", {}],
        ["/api/notes", {}],
        ["/api/open", { code }],
      ];
      for (const [path, body] of attacks) {
        const refused = await page.post(path, body, { peer: () => agent.pid });
        expect(bodyOf(refused)).toMatchObject({ ok: false, code: "operator.inside-agent" });
      }
      // What was refused has used nothing up.
      expect(page.sessions.open(code)).toHaveProperty("token");
    } finally {
      agent.kill();
    }
  });

  it("of another shape are refused before anything is looked up", async () => {
    for (const body of [{}, { do: "approve" }, { do: "reply", repo: "shop", bubble: "../x" }]) {
      const refused = await page.post("/api/command", body);
      expect(refused.status).toBe(400);
      expect(bodyOf(refused)).toMatchObject({ code: "page.body" });
    }
  });

  it("by other methods are not answered", async () => {
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"])
      expect(await page.get("/api/inbox", { method })).toMatchObject({ status: 405 });
  });
});

describe("what is sent", () => {
  it("has a policy that loads nothing from elsewhere and makes no HTML of text", () => {
    expect(safeHeaders["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(safeHeaders).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  });

  it("is no file but those of the build, whatever path is asked for", async () => {
    for (const path of ["/../package.json", "/..%2fpackage.json", "/etc/passwd", "/index.html/../x"])
      expect(await page.get(path)).toMatchObject({ status: 404 });
  });

  it("is of no repository but those on the list, whatever name is asked for", async () => {
    const names = ["other", "..%2f..", "%2fetc", "%00", "%E0%A4%A", "shop%2f..%2fother"];
    for (const name of names)
      for (const tab of ["overview", "log", "prompts", "review", "file", "sign"]) {
        const refused = await page.get(`/api/b/${name}/x/${tab}?path=/etc/passwd&artifact=../../x`);
        expect([name, tab, refused.status, bodyOf(refused).code]).toEqual([
          name,
          tab,
          expect.any(Number),
          expect.stringMatching(/^(bubble|page)\.unknown$/),
        ]);
      }
    const command = { do: "stop", repo: "other", bubble: "x", message: "" };
    expect(bodyOf(await page.post("/api/command", command))).toMatchObject({ code: "bubble.unknown" });
    const note = { repo: "../x", bubble: "x", change: { note: "draft", key: "q1", text: "x" } };
    expect(bodyOf(await page.post("/api/notes", note))).toMatchObject({ code: "bubble.unknown" });
  });

  it("is not sent again while nothing has changed", async () => {
    const first = await page.get("/api/inbox");
    const etag = first.headers.etag ?? "";
    page.later(5000);
    expect(await page.get("/api/inbox", { headers: { "if-none-match": etag } })).toMatchObject({
      status: 304,
    });
  });
});
