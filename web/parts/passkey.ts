// Keys in the browser: one is made, or asked to sign. What is signed is said by the server and judged by it; here it is only
// carried to the key and back.
import type { PageGrant } from "../../src/core/views/page/review/sign.ts";
import { type Answer, send } from "../live/ask.ts";

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

interface Challenge {
  readonly challenge: string;
  readonly rp_id: string;
  readonly keys: readonly { readonly id: string }[];
}

/** One touch: asks what is to be signed, has it signed, and sends it. */
export async function grantByTouch(grant: PageGrant): Promise<Answer<{ readonly said: string }>> {
  const asked = await send<Challenge>("/api/challenge", { grant });
  if (!asked.ok) return asked;
  try {
    const made = (await navigator.credentials.get({
      publicKey: {
        challenge: toBytes(asked.challenge),
        rpId: asked.rp_id,
        allowCredentials: asked.keys.map(({ id }) => ({ type: "public-key", id: toBytes(id) })),
        userVerification: "required",
        timeout: 120_000,
      },
    })) as PublicKeyCredential | null;
    if (!made) return notTouched;
    const { authenticatorData, clientDataJSON, signature } = made.response as AuthenticatorAssertionResponse;
    const proof = {
      credential: toText(made.rawId),
      authenticator_data: toText(authenticatorData),
      client_data: toText(clientDataJSON),
      signature: toText(signature),
    };
    return await send("/api/grant", { grant, proof });
  } catch {
    return notTouched;
  }
}

/** A new key; its fingerprint is confirmed at a terminal before it counts. */
export async function makeKey(name: string): Promise<Answer<{ readonly fingerprint: string }>> {
  const asked = await send<Omit<Challenge, "keys"> & { readonly known: readonly string[] }>(
    "/api/keys/challenge",
    {},
  );
  if (!asked.ok) return asked;
  try {
    const made = (await navigator.credentials.create({
      publicKey: {
        challenge: toBytes(asked.challenge),
        rp: { id: asked.rp_id, name: "Pairflow" },
        user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        excludeCredentials: asked.known.map((id) => ({ type: "public-key", id: toBytes(id) })),
        attestation: "none",
        timeout: 120_000,
      },
    })) as PublicKeyCredential | null;
    const response = made?.response as AuthenticatorAttestationResponse | undefined;
    const key = response?.getPublicKey();
    if (!made || !response || !key) return notTouched;
    return await send("/api/keys", {
      name,
      credential: toText(made.rawId),
      key: toText(key),
      algorithm: response.getPublicKeyAlgorithm(),
      authenticator_data: toText(response.getAuthenticatorData()),
      client_data: toText(response.clientDataJSON),
    });
  } catch {
    return notTouched;
  }
}

const notTouched = {
  ok: false,
  code: "page.not-touched",
  message: "No key was touched, or it is not one of yours; nothing was signed",
} as const;
