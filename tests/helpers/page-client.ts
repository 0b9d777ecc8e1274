// A browser's part of the page without a browser: the session, the headers, and a passkey in software.
import { type IncomingHttpHeaders, request } from "node:http";
import type { PageGrant } from "../../src/core/model/page/grant.ts";
import type { SignFacts } from "../../src/core/views/page/review/sign.ts";
import type { Lies, Passkey } from "./passkey.ts";

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many forms, each looked at by its test.
  readonly body: any;
}

export interface PageClient {
  readonly origin: string;
  get(path: string): Promise<Answered>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** What a signature would be over now. */
  sign(bubble: string): Promise<SignFacts>;
  /** Asks for the challenge and signs it, with whatever is wrong about it. */
  grant(grant: PageGrant, key: Passkey, wrong?: Wrong): Promise<Answered>;
}

export interface Wrong extends Lies {
  /** Sent instead of what was signed. */
  readonly sent?: Partial<PageGrant>;
  readonly credential?: string;
}

const toBase64 = (hex: string) => Buffer.from(hex, "hex").toString("base64url");

/** Opens a session with the address that the terminal shows. */
export async function pageClient(address: string): Promise<PageClient> {
  const { host, origin, port, hash } = new URL(address);
  const own = {
    host,
    origin,
    "sec-fetch-site": "same-origin",
    "x-pairflow": "1",
    "content-type": "application/json",
  };
  let cookie = "";
  const ask = (method: string, path: string, body: string, headers: Record<string, string>) =>
    new Promise<Answered>((resolve, reject) => {
      const asked = request(
        { host: "127.0.0.1", port, path, method, headers: { ...own, cookie, ...headers } },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (part: string) => (text += part));
          answer.on("end", () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(text) }),
          );
        },
      );
      asked.on("error", reject).end(body);
    });
  const client: PageClient = {
    origin,
    get: (path) => ask("GET", path, "", {}),
    post: (path, body, headers = {}) => ask("POST", path, JSON.stringify(body), headers),
    sign: async (bubble) => (await client.get(`/api/b/shop/${bubble}/sign`)).body,
    async grant(grant, key, wrong = {}) {
      const { sent, credential, ...lies } = wrong;
      const given = await client.post("/api/challenge", { grant });
      if (given.status !== 200) return given;
      const challenge = Buffer.from(given.body.challenge, "base64url");
      const signed = key.assert(challenge, { origin, ...lies });
      const proof = {
        credential: toBase64(credential ?? signed.credential),
        authenticator_data: toBase64(signed.authenticator_data),
        client_data: toBase64(signed.client_data),
        signature: toBase64(signed.signature),
      };
      return client.post("/api/grant", { grant: { ...grant, ...sent }, proof });
    },
  };
  const opened = await client.post("/api/open", { code: hash.slice(1) });
  cookie = opened.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return client;
}
