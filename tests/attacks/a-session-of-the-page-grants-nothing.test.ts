// A session of the page can be taken over by anything that runs as the same user. It looks and speaks; what grants something
// takes a passkey's proof for exactly this act, and the record keeps it for whoever checks later.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepKey, removeKey } from "../../src/app/operators/kept.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { changeSetting, openTerminal } from "../helpers/operator.ts";
import { type PageClient, pageClient, type Wrong } from "../helpers/page-client.ts";
import { passkey, sha256 } from "../helpers/passkey.ts";
import { type Served, serveUi } from "../web/served.ts";

let tool: Rig;
let served: Served;
let page: PageClient;
const laptop = passkey("laptop");
const stranger = passkey("stranger");
const now = () => new Date().toISOString();

beforeAll(async () => {
  tool = rig();
  for (const id of ["signed", "strict"]) await createScripted(tool, id, shortest);
  changeSetting(tool, "strict", "approval", '"passkey"');
  for (const id of ["signed", "strict"]) await tool.ok("bubble", "start", "--id", id, "--headless");
  keepKey(tool.env, laptop.key, now());
  served = await serveUi(tool);
  page = await pageClient(served.address);
}, 240_000);
afterAll(async () => {
  await served?.end();
  await tool?.close();
});

async function approval(bubble: string) {
  const { digest, head } = await page.sign(bubble);
  return { do: "approve", repo: "shop", bubble, digest, head, message: "" } as const;
}

describe("a stolen session", () => {
  it("reads what would be signed, and cannot approve without a proof", async () => {
    const grant = await approval("signed");
    expect(grant.digest).toBe((await tool.status("signed")).approval?.digest);
    const refused = await page.post("/api/grant", { grant });
    expect(refused).toMatchObject({ status: 409, body: { ok: false, code: "page.grants" } });
    expect((await tool.status("signed")).state).toBe("READY_FOR_APPROVAL");
  });

  it("makes nobody an operator: a key that the page takes waits for the terminal", async () => {
    const { challenge } = (await page.post("/api/keys/challenge", {})).body;
    const made = stranger.assert(Buffer.from(challenge, "base64url"), {
      type: "webauthn.create",
      origin: page.origin,
    });
    const sent = (hex: string) => Buffer.from(hex, "hex").toString("base64url");
    const body = {
      name: "stranger",
      credential: sent(made.credential),
      key: sent(stranger.key.key),
      algorithm: -7,
      authenticator_data: sent(made.authenticator_data),
      client_data: sent(made.client_data),
    };
    expect((await page.post("/api/keys", body)).body).toMatchObject({
      ok: true,
      fingerprint: stranger.key.fingerprint,
    });
    expect((await page.post("/api/keys", body)).body).toMatchObject({ ok: false, code: "keys.invalid" });
    expect((await page.grant(await approval("signed"), stranger)).body).toMatchObject({
      code: "proof.key-unknown",
    });
    const added = await tool.run("operator", "add");
    expect(added).toMatchObject({ code: 1 });
    expect(added.stderr).toContain("operator.no-terminal");
  });
});

describe("a proof is refused", () => {
  const attacks: [string, Wrong, string][] = [
    ["by a wrong key under a known name", { credential: laptop.key.credential }, "proof.invalid"],
    ["by a key that nobody confirmed", {}, "proof.key-unknown"],
  ];
  it.each(attacks)("%s", async (_what, wrong, code) => {
    const refused = await page.grant(await approval("signed"), stranger, wrong);
    expect(refused.body).toMatchObject({ ok: false, code });
  });

  const lies: [string, Wrong, string][] = [
    ["for another digest", { sent: { digest: sha256("other") } as never }, "page.moved"],
    ["for an old head", { sent: { head: sha256("old") } as never }, "page.moved"],
    ["for another bubble", { sent: { bubble: "strict" } as never }, "page.moved"],
    ["without user verification", { flags: 1 }, "proof.invalid"],
    ["without a touch", { flags: 4 }, "proof.invalid"],
    ["for another page", { origin: "http://other.pairflow.localhost:1" }, "proof.invalid"],
    ["for another name", { rpId: "evil.example" }, "proof.invalid"],
    ["of another challenge", { challenge: Buffer.from("x") }, "proof.invalid"],
    ["of making a key", { type: "webauthn.create" }, "proof.invalid"],
  ];
  it.each(lies)("%s", async (_what, wrong, code) => {
    const refused = await page.grant(await approval("signed"), laptop, wrong);
    expect(refused.body).toMatchObject({ ok: false, code });
    expect((await tool.status("signed")).state).toBe("READY_FOR_APPROVAL");
  });

  it("that was right before the record moved", async () => {
    const grant = await approval("strict");
    const { challenge } = (await page.post("/api/challenge", { grant })).body;
    const made = laptop.assert(Buffer.from(challenge, "base64url"), { origin: page.origin });
    const proof = Object.fromEntries(
      Object.entries(made).map(([name, hex]) => [name, Buffer.from(hex, "hex").toString("base64url")]),
    );
    await tool.ok("bubble", "pause", "--id", "strict", "--message", "wait");
    const late = { ...grant, head: (await approval("strict")).head };
    expect((await page.post("/api/grant", { grant, proof })).body).toMatchObject({ code: "page.moved" });
    expect((await page.post("/api/grant", { grant: late, proof })).body).toMatchObject({
      code: "proof.invalid",
    });
    await tool.ok("bubble", "resume", "--id", "strict");
  });

  it("by a key that was removed", async () => {
    const old = passkey("old");
    keepKey(tool.env, old.key, now());
    removeKey(tool.env, old.key.fingerprint, now());
    expect((await page.grant(await approval("signed"), old)).body).toMatchObject({
      code: "proof.key-removed",
    });
  });
});

describe("a touch", () => {
  it("approves and commits, and the record shows by which key, offline and for ever", async () => {
    const done = await page.grant(await approval("signed"), laptop);
    expect(done.body).toMatchObject({ ok: true, said: expect.stringMatching(/^Approved and committed/) });
    const lines = tool.log("signed");
    const decided = lines.find(({ type }) => type === "APPROVAL_DECISION");
    expect(decided?.payload).toMatchObject({
      via: "page",
      door: { passkey: { key: laptop.key.fingerprint, name: "laptop", synced: false } },
    });
    expect(lines.some(({ type }) => type === "COMMITTED")).toBe(true);
    removeKey(tool.env, laptop.key.fingerprint, now());
    const verified = await tool.run("verify", "--id", "signed");
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toMatch(/signed by the passkey laptop .* which was removed since/);
    keepKey(tool.env, laptop.key, now());
  });

  it("whose proof was changed afterwards is told by verify", async () => {
    const decided = tool.log("signed").find(({ type }) => type === "APPROVAL_DECISION");
    const name = decided?.type === "APPROVAL_DECISION" ? (decided.payload.door?.passkey?.artifact ?? "") : "";
    const file = join(tool.repo, ".pairflow", "bubbles", "signed", "artifacts", name);
    const text = readFileSync(file, "utf8");
    const { signature } = JSON.parse(text) as { signature: string };
    writeFileSync(file, text.replace(signature, `${signature.slice(0, -2)}00`));
    const verified = await tool.run("verify", "--id", "signed");
    writeFileSync(file, text);
    expect(verified).toMatchObject({ code: 1 });
    expect(verified.stdout + verified.stderr).toContain("proof");
  });
});

describe("the setting approval = passkey", () => {
  it("refuses an operator key and a terminal, and takes a passkey", async () => {
    const digest = (await tool.status("strict")).approval?.digest ?? "";
    const words = ["bubble", "approve", "--id", "strict", "--digest", digest];
    const byKey = await tool.run(...words, "--operator-key", tool.key);
    expect(byKey.stderr).toContain("approve.passkey");
    expect((await page.grant(await approval("strict"), laptop)).body).toMatchObject({ ok: true });
  });
});

describe("registering", () => {
  it("shows the fingerprint on both screens, and takes its end at a terminal", async () => {
    const desk = openTerminal(tool, ["operator", "add"]);
    try {
      await desk.sees((stranger.key.fingerprint.match(/.{4}/g) ?? []).slice(0, 4).join(" "));
      desk.types(stranger.key.fingerprint.slice(-4));
      expect((await desk.ends()).screen).toContain("Added stranger");
    } finally {
      desk.close();
    }
    expect(await tool.ok("operator", "list")).toContain("stranger");
    expect((await page.get("/api/keys")).body.keys).toContainEqual(
      expect.objectContaining({ name: "stranger", state: "confirmed" }),
    );
  });

  it("can be taken back at a terminal alone", async () => {
    expect((await tool.run("operator", "remove", "stranger")).stderr).toContain("operator.no-terminal");
    const desk = openTerminal(tool, ["operator", "remove", "stranger"]);
    try {
      expect((await desk.ends()).screen).toContain("Removed stranger");
    } finally {
      desk.close();
    }
  });
});

describe("an answer that waives something", () => {
  const rejecting = {
    implementer: [shortest.implementer[0]],
    reviewer: [
      {
        role: "reviewer",
        steps: [
          {
            pass: {
              summary: "wrong",
              findings: ["P1:Wrong total @ src/cart.txt:1 | total: 2"],
            },
          },
        ],
      },
    ],
  };

  it("takes a touch for exactly this answer, and verify finds the proof beside its line", async () => {
    await createScripted(tool, "spent", rejecting, "--max-rounds", "1");
    await tool.ok("bubble", "start", "--id", "spent", "--headless", "--detach");
    await tool.until("spent", ({ state }) => state === "WAITING_HUMAN", "asked");
    const asked = tool.log("spent").findLast(({ type }) => type === "HUMAN_QUESTION");
    const question = `q${asked?.seq}`;
    const { head } = await page.sign("spent");
    const about = { repo: "shop", bubble: "spent", head, question, choice: "accept" };
    const grant = { do: "reply", ...about, message: "good enough" } as const;
    expect((await page.post("/api/grant", { grant })).body).toMatchObject({ code: "page.grants" });
    const other = { sent: { message: "something else" } as never };
    expect((await page.grant(grant, laptop, other)).body).toMatchObject({ code: "proof.invalid" });
    expect((await page.grant(grant, laptop)).body).toMatchObject({ ok: true });
    const reply = tool.log("spent").find(({ type }) => type === "HUMAN_REPLY");
    expect(reply?.payload).toMatchObject({ via: "page", door: { passkey: { name: "laptop" } } });
    expect((await tool.run("verify", "--id", "spent")).code).toBe(0);
  });
});
