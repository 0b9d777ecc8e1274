// What a passkey must have signed: one decision about one digest of one bubble, at one place of its record, by a person.
import { describe, expect, it } from "vitest";
import { nodeSignatures } from "../../../src/adapters/proof/node.ts";
import type { GivenProof, KeyStanding, ProofSubject } from "../../../src/core/model/page/proof.ts";
import {
  buildSignedBytes,
  computeChallenge,
  serializeCommand,
} from "../../../src/core/permission/proof/check.ts";
import { buildSubject, checkNotMoved, isPasskeyWanted } from "../../../src/core/permission/proof/door.ts";
import { checkProofLine } from "../../../src/core/permission/proof/line.ts";
import { findKeyStanding } from "../../../src/core/permission/proof/operators.ts";
import { type Lies, passkey, sha256 } from "../../helpers/passkey.ts";
import { readyForApproval } from "../pair.ts";

const laptop = passkey();
const head = sha256("the newest line");
const known: KeyStanding = { is: "known", name: "laptop", rpId: "pairflow.localhost" };

interface Given {
  readonly subject?: Partial<ProofSubject>;
  readonly lies?: Lies;
  readonly standing?: KeyStanding;
  readonly isSigned?: boolean;
  readonly config?: object;
}

/** A bubble that asks for approval, and an approval by a passkey through the page. */
function approving({ subject = {}, lies = {}, standing = known, isSigned = true, config = {} }: Given = {}) {
  const scene = readyForApproval({ config });
  const { digest = "", tree = "" } = scene.state.approval ?? {};
  const wanted = { kind: "approve", bubble: "cart", digest, head, decision: "approve+commit" } as const;
  const proof = laptop.prove({ ...wanted, ...subject } as ProofSubject, lies);
  const given: GivenProof = { proof, artifact: "proofs/1.json", sha256: sha256("x"), isSigned, standing };
  const actor = { kind: "operator", via: "page", door: { user: "ada" }, proof: given } as const;
  return { scene, command: { type: "approve", actor, digest, tree, message: "" } as const, proof };
}

const refusalOf = (given: Given) => {
  const { scene, command } = approving(given);
  return scene.tries(command).decision.refusal;
};

describe("an approval through the page", () => {
  it("with a proof for exactly this is taken, and the line names the key and the proof", () => {
    const { scene, command } = approving();
    const after = scene.does(command);
    expect(after.state.lifecycle).toBe("APPROVED_FOR_COMMIT");
    expect(after.state.approval?.passkey).toEqual({
      artifact: "proofs/1.json",
      sha256: sha256("x"),
      key: laptop.key.fingerprint,
      name: "laptop",
      synced: false,
    });
  });

  it("without a proof is refused: a session grants nothing", () => {
    const { scene, command } = approving();
    const actor = { kind: "operator", via: "page", door: { user: "ada" } } as const;
    expect(scene.tries({ ...command, actor }).decision.refusal?.code).toBe("page.grants");
  });

  const other = sha256("other");
  it.each<[string, Given, RegExp]>([
    ["another digest", { subject: { kind: "approve", digest: other } }, /digest/],
    ["another bubble", { subject: { bubble: "totals" } }, /bubble totals/],
    ["another kind of grant", { subject: { kind: "grant", command: "{}" } as never }, /for grant/],
    ["another challenge", { lies: { challenge: Buffer.from("x") } }, /something else was signed/],
    ["making a key", { lies: { type: "webauthn.create" } }, /not asked for a signature/],
    ["another site", { lies: { origin: "http://evil.example" } }, /no page of/],
    ["a site that only ends alike", { lies: { origin: "http://evilpairflow.localhost:1" } }, /no page of/],
    ["a frame on another site", { lies: { crossOrigin: true } }, /another page/],
    ["a key that nobody touched", { lies: { flags: 4 } }, /nobody touched/],
    ["a key that verified nobody", { lies: { flags: 1 } }, /did not verify/],
    ["a signature of another key", { isSigned: false }, /not by this key/],
  ])("signed for %s is refused", (_what, given, why) => {
    const refusal = refusalOf(given);
    expect(refusal?.code).toBe("proof.invalid");
    expect(refusal?.message).toMatch(why);
  });

  it.each<[KeyStanding, string]>([
    [{ is: "unknown" }, "proof.key-unknown"],
    [{ is: "removed", name: "laptop", at: "2026-01-01T00:00:00.000Z" }, "proof.key-removed"],
    [{ is: "not-listed", name: "laptop" }, "proof.key-not-listed"],
    [{ is: "known", name: "laptop", rpId: "review.example" }, "proof.invalid"],
  ])("by a key that is %o is refused", (standing, code) => {
    expect(refusalOf({ standing })?.code).toBe(code);
  });

  it("is refused when the record has moved since", () => {
    const { command } = approving();
    expect(checkNotMoved(command, head)).toBeUndefined();
    expect(checkNotMoved(command, sha256("a newer line"))?.code).toBe("page.moved");
  });

  it("counts as a proven door", () => {
    expect(refusalOf({ config: { approval: "proven" } })).toBeUndefined();
  });

  it("by a synced key is taken, and told", () => {
    const { scene, command } = approving({ lies: { flags: 5 + 8 } });
    expect(scene.does(command).state.passkeys).toMatchObject([{ what: "the approval", synced: true }]);
  });
});

describe("the commit", () => {
  const commit = (tree: string) =>
    ({
      type: "commit",
      actor: { kind: "operator", via: "page", door: { user: "ada" } },
      commit: "c".repeat(40),
      tree,
      branch: "bubble/cart",
    }) as const;

  it("follows from the touch that approved it", () => {
    const { scene, command } = approving();
    expect(scene.does(command).does(commit(command.tree)).state.lifecycle).toBe("DONE");
  });

  it("of what the terminal approved takes a touch of its own, over exactly this tree", () => {
    const { scene, command } = approving();
    const approved = scene.does({ ...command, actor: { kind: "operator", via: "terminal" } });
    const { tree } = command;
    expect(approved.tries(commit(tree)).decision.refusal?.code).toBe("page.grants");
    const touched = (of: string) => {
      const subject = buildSubject("cart", head, { ...commit(of), actor: undefined } as never);
      const proof = laptop.prove(subject);
      const given = {
        proof,
        artifact: "proofs/2.json",
        sha256: sha256("y"),
        isSigned: true,
        standing: known,
      };
      return { ...commit(tree), actor: { ...commit(tree).actor, proof: given } };
    };
    expect(approved.tries(touched("another")).decision.refusal?.code).toBe("proof.invalid");
    const done = approved.does(touched(tree));
    expect(done.state.lifecycle).toBe("DONE");
    expect(done.state.passkeys).toMatchObject([{ what: "the commit", name: "laptop" }]);
    const line = done.log.find(({ type }) => type === "COMMITTED");
    if (line?.type !== "COMMITTED") throw new Error("no commit");
    const { proof } = touched(tree).actor.proof;
    expect(checkProofLine(line, proof, head)).toBeUndefined();
    const other = { ...line, payload: { ...line.payload, tree: "another" } };
    expect(checkProofLine(other, proof, head)).toMatch(/another command/);
  });
});

describe("the setting approval", () => {
  const byTerminal = (approval: string) => {
    const { scene, command } = approving({ config: { approval } });
    const actor = { kind: "operator", via: "terminal", door: { user: "ada" } } as const;
    return scene.tries({ ...command, actor }).decision.refusal?.code;
  };

  it("passkey refuses every other door", () => {
    expect(byTerminal("passkey")).toBe("approve.passkey");
    expect(refusalOf({ config: { approval: "passkey" } })).toBeUndefined();
  });

  it("passkey-from-T2 asks for a key only where a task is of tier T2", () => {
    expect(byTerminal("passkey-from-T2")).toBeUndefined();
    const { state } = approving({ config: { approval: "passkey-from-T2" } }).scene;
    const withTask = (tier: string) =>
      ({ ...state, program: { ...state.program, tasks: [{ key: "a", policy: { tier } }] } }) as never;
    expect(isPasskeyWanted(withTask("T1"), { type: "approve" })).toBe(false);
    expect(isPasskeyWanted(withTask("T2"), { type: "approve" })).toBe(true);
  });
});

describe("the challenge", () => {
  it("is the SHA-256 of its words, joined by NUL", () => {
    const digest = sha256("digest");
    const approve = { kind: "approve", bubble: "cart", digest, head, decision: "approve+commit" } as const;
    const words = ["pairflow.approve.v1", "cart", digest, head, "approve+commit"];
    expect(Buffer.from(computeChallenge(approve)).toString("hex")).toBe(sha256(words.join("\0")));
    const grant = { kind: "grant", bubble: "cart", head, command: '{"type":"waive"}' } as const;
    const others = ["pairflow.grant.v1", "cart", head, '{"type":"waive"}'];
    expect(Buffer.from(computeChallenge(grant)).toString("hex")).toBe(sha256(others.join("\0")));
  });

  it("has one spelling of a command, whoever gives it", () => {
    const actor = { kind: "operator", via: "page" } as const;
    const command = { type: "waive", reason: "flaky", gates: ["test"], actor } as const;
    expect(serializeCommand(command)).toBe('{"gates":["test"],"reason":"flaky","type":"waive"}');
  });
});

describe("the signature", () => {
  const subject = { kind: "grant", bubble: "cart", head, command: "{}" } as const;
  it.each(["ec", "ed25519", "rsa"] as const)("of a key of the kind %s is checked", (kind) => {
    const one = passkey("key", {}, kind);
    const proof = one.prove(subject);
    const bytes = buildSignedBytes(proof);
    expect(nodeSignatures.isSigned(one.key, bytes, proof.signature)).toBe(true);
    expect(nodeSignatures.isSigned(laptop.key, bytes, proof.signature)).toBe(false);
    expect(nodeSignatures.isSigned(one.key, bytes.slice(1), proof.signature)).toBe(false);
  });

  it("by what is no key is none", () => {
    expect(nodeSignatures.isSigned({ key: "00", algorithm: -7 }, new Uint8Array(3), "00")).toBe(false);
  });
});

describe("a line and its proof", () => {
  it("an approval of another digest, or at another place, does not fit", () => {
    const { scene, command, proof } = approving();
    const line = scene.does(command).log.at(-1);
    if (line?.type !== "APPROVAL_DECISION") throw new Error("no approval");
    expect(checkProofLine(line, proof, head)).toBeUndefined();
    expect(checkProofLine(line, proof, sha256("elsewhere"))).toMatch(/stood elsewhere/);
    const payload = { ...line.payload, digest: sha256("other") };
    expect(checkProofLine({ ...line, payload }, proof, head)).toMatch(/for digest/);
    expect(checkProofLine({ ...line, bubble_id: "totals" }, proof, head)).toMatch(/for the bubble cart/);
    const sent = { ...line, payload: { ...line.payload, decision: "reject" as const } };
    expect(checkProofLine(sent, proof, head)).toMatch(/for an approval/);
  });
});

describe("whose keys count", () => {
  const { key } = laptop;
  const kept = [{ key, at: "2026-01-01T00:00:00.000Z" }];
  it("those confirmed here", () => {
    expect(findKeyStanding(key.fingerprint, { kept })).toMatchObject({ is: "known", name: "laptop" });
    expect(findKeyStanding(sha256("x"), { kept })).toEqual({ is: "unknown" });
  });
  it("not those taken back, until they are confirmed again", () => {
    const removed = { ...kept[0], key, at: "", removedAt: "2026-02-01T00:00:00.000Z" };
    expect(findKeyStanding(key.fingerprint, { kept: [removed] })).toMatchObject({ is: "removed" });
    expect(findKeyStanding(key.fingerprint, { kept: [removed, ...kept] })).toMatchObject({ is: "known" });
  });
  it("where the machine's owner has a list, those of the list alone", () => {
    expect(findKeyStanding(key.fingerprint, { kept, machine: [] })).toEqual({ is: "unknown" });
    expect(findKeyStanding(key.fingerprint, { kept: [], machine: [key] })).toMatchObject({ is: "known" });
  });
  it("a repository can name its operators, and make nobody one", () => {
    expect(findKeyStanding(key.fingerprint, { kept, listed: [] })).toMatchObject({ is: "not-listed" });
    expect(findKeyStanding(key.fingerprint, { kept: [], listed: [key] })).toEqual({ is: "unknown" });
    expect(findKeyStanding(key.fingerprint, { kept, listed: [key] })).toMatchObject({ is: "known" });
  });
});
