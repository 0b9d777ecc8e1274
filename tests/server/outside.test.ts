// A page that other machines reach: its own name, a password, few guesses, and no grant over plain HTTP.
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { createProblem } from "../../src/core/permission/proof/check.ts";
import type { PageRequest } from "../../src/server/http/request.ts";
import { checkHost, checkWriteOrigin, getRpId, type Reach } from "../../src/server/session/fence.ts";
import { createPasswordDoor } from "../../src/server/session/password.ts";
import { answerRequest } from "../../src/server/site/answer.ts";
import { sha256 } from "../helpers/passkey.ts";
import { bodyOf, ownHeaders, port, testSite } from "./site.ts";

const https: Reach = { scheme: "https", name: "review.example" };
const http: Reach = { scheme: "http", name: "review.example" };
const asked = (headers: Record<string, string>): PageRequest => ({
  method: "POST",
  path: "/api/open",
  query: new URLSearchParams(),
  headers,
  body: "{}",
  peer: () => undefined,
});

describe("the name", () => {
  const page = testSite();
  page.close();
  it.each([
    ["review.example:4801", undefined],
    ["evil.example:4801", 421],
    ["review.example:4802", 421],
    [page.host, 421],
  ])("%s", (host, status) => {
    const site = { sessions: page.sessions, reach: https, port: () => port };
    expect(checkHost(asked({ host }), site)?.status).toBe(status);
  });

  it("is written to from its own HTTPS page alone", () => {
    const host = "review.example:4801";
    expect(checkWriteOrigin(asked({ ...ownHeaders(host), host }), https)?.status).toBe(403);
    const own = { ...ownHeaders(host), host, origin: `https://${host}` };
    expect(checkWriteOrigin(asked(own), https)).toBeUndefined();
  });

  it("is what keys are made for, over HTTPS", () => {
    expect([getRpId(https), getRpId(http), getRpId({ scheme: "http" })]).toEqual([
      "review.example",
      undefined,
      "pairflow.localhost",
    ]);
  });
});

describe("the password", () => {
  it("opens a session; five wrong ones a minute close the door, also for the right one", () => {
    let now = 0;
    const door = createPasswordDoor("correct horse", () => now);
    expect([door.try(""), door.try("correct horse")]).toEqual(["asked", "right"]);
    for (let tries = 0; tries < 5; tries++) expect(door.try(`guess ${tries}`)).toBe("wrong");
    expect(door.try("correct horse")).toBe("limited");
    now += 61_000;
    expect(door.try("correct horse")).toBe("right");
  });

  it("is asked for by the page, which then reads, speaks, and grants nothing over plain HTTP", async () => {
    const page = testSite();
    const site = { ...page.site, reach: http, password: createPasswordDoor("correct horse", () => 0) };
    const host = `review.example:${port}`;
    const post = async (path: string, body: unknown, cookie = "") => {
      const request = { ...asked({ ...ownHeaders(host), host, cookie }), path, body: JSON.stringify(body) };
      const given = await answerRequest(site, request);
      return { given, body: bodyOf(given) };
    };
    expect((await post("/api/open", {})).body).toMatchObject({ ok: false, code: "page.password" });
    expect((await post("/api/open", { password: "wrong" })).body).toMatchObject({
      code: "page.password-wrong",
    });
    const { given } = await post("/api/open", { password: "correct horse" });
    const cookie = given.headers["set-cookie"]?.split(";")[0] ?? "";
    expect((await post("/api/keys/challenge", {}, cookie)).body).toMatchObject({ code: "page.no-grants" });
    const head = sha256("head");
    const grant = { do: "approve", repo: "shop", bubble: "cart", digest: head, head, message: "" };
    expect((await post("/api/challenge", { grant }, cookie)).body).toMatchObject({ code: "page.no-grants" });
    expect((await post("/api/grant", { grant }, cookie)).body).toMatchObject({ code: "page.no-grants" });
    page.close();
  });

  it("gives a cookie that goes over HTTPS alone", async () => {
    const page = testSite();
    const site = { ...page.site, reach: https, password: createPasswordDoor("correct horse", () => 0) };
    const host = `review.example:${port}`;
    const headers = { ...ownHeaders(host), host, origin: `https://${host}` };
    const given = await answerRequest(site, {
      ...asked(headers),
      body: JSON.stringify({ password: "correct horse" }),
    });
    expect(given.headers["set-cookie"]).toMatch(/; Secure$/);
    page.close();
  });
});

describe("every fence stands before keys and grants too", () => {
  const paths = ["/api/challenge", "/api/grant", "/api/keys/challenge", "/api/keys"];
  it.each(paths)("%s", async (path) => {
    const page = testSite();
    const foreign = { headers: { host: `localhost:${port}` } };
    expect(await page.post(path, {}, foreign)).toMatchObject({ status: 421 });
    const origin = { headers: { origin: "http://evil.example" } };
    expect(await page.post(path, {}, origin)).toMatchObject({ status: 403 });
    expect(await page.post(path, {}, { headers: { "x-pairflow": "" } })).toMatchObject({ status: 403 });
    expect(await page.post(path, {}, { headers: { cookie: "pairflow=stolen" } })).toMatchObject({
      status: 401,
    });
    const { spawn } = await import("node:child_process");
    const agent = spawn("sleep", ["30"], { env: { PATH: process.env.PATH ?? "", PAIRFLOW_TURN: "t1" } });
    // For a moment after its start a process has no environment that can be read.
    await vi.waitUntil(() => readFileSync(`/proc/${agent.pid}/environ`, "latin1").includes("PAIRFLOW_TURN="));
    const inside = await page.post(path, {}, { peer: () => agent.pid });
    agent.kill();
    expect(bodyOf(inside)).toMatchObject({ code: "operator.inside-agent" });
    page.close();
  });
});

describe("a new key", () => {
  const rpId = "pairflow.localhost";
  const origin = "http://a.pairflow.localhost:1";
  const data = (flags: number, name = rpId) =>
    Buffer.concat([Buffer.from(sha256(name), "hex"), Buffer.from([flags, 0, 0, 0, 0])]);
  const client = (over: object = {}) =>
    JSON.stringify({ type: "webauthn.create", challenge: "c", origin, ...over });
  it.each([
    ["as asked for", client(), data(5), undefined],
    ["of a signature", client({ type: "webauthn.get" }), data(5), /not asked to make/],
    ["that nobody asked for", client({ challenge: "d" }), data(5), /nobody asked/],
    ["of another page", client({ origin: "http://evil.example" }), data(5), /another page/],
    ["of another name", client(), data(5, "evil.example"), /another name/],
    ["that verifies nobody", client(), data(1), /did not verify/],
  ])("%s", (_what, said, bytes, why) => {
    const problem = createProblem({ client: said, data: bytes, origin, rpId }, (one) => one === "c");
    if (why) expect(problem).toMatch(why);
    else expect(problem).toBeUndefined();
  });
});
