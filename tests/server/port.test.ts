// The port itself: both loopback addresses or none, who has it already, and what is sent whatever comes in.
import { connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpListener, listen } from "../../src/server/http/listen.ts";
import { safeHeaders } from "../../src/server/http/policy.ts";

let page: HttpListener | undefined;
let other: Server | undefined;
afterEach(async () => {
  page?.close();
  page = undefined;
  await new Promise<void>((resolve) => (other ? other.close(() => resolve()) : resolve()));
  other = undefined;
});

const answer = async () => ({ status: 200, headers: {}, body: "{}" });

/** Somebody else at a port; the port, or the code of what went wrong. */
const hold = (port: number, host: string) =>
  new Promise<number | string>((resolve) => {
    other = createServer()
      .once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""))
      .listen({ port, host, ipv6Only: true }, () => {
        const address = other?.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
  });

/** Sends bytes as they are and returns what comes back. */
const raw = (port: number, host: string, text: string) =>
  new Promise<string>((resolve, reject) => {
    let got = "";
    const socket = connect({ port, host }, () => socket.write(text));
    socket.setEncoding("utf8").on("data", (part: string) => (got += part));
    socket.on("close", () => resolve(got)).on("error", reject);
  });

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: page\r\nConnection: close\r\n\r\n`;

describe("a port", () => {
  it.each(["127.0.0.1", "::1"])("is ours on %s, and nobody else can take it there", async (host) => {
    page = await listen(0, answer);
    expect(await raw(page.port, host, get("/"))).toMatch(/^HTTP\/1.1 200/);
    expect(await hold(page.port, host)).toBe("EADDRINUSE");
    other = undefined;
  });

  it.each(["127.0.0.1", "::1"])("that somebody has on %s is refused with their process", async (host) => {
    const port = Number(await hold(0, host));
    await expect(listen(port, answer)).rejects.toMatchObject({
      code: "ui.port-taken",
      message: expect.stringContaining(process.platform === "linux" ? `process ${process.pid}` : "another"),
      hint: "pairflow ui --port 0",
    });
    // Nothing of ours is left on the other address.
    await expect(raw(port, host === "::1" ? "127.0.0.1" : "::1", get("/"))).rejects.toThrow("ECONNREFUSED");
  });
});

describe("every answer has the headers that keep others out", () => {
  const requests: [string, string, RegExp][] = [
    ["to a page", get("/"), /^HTTP\/1.1 200/],
    ["to a path that is no address", get("//"), /^HTTP\/1.1 500/],
    [
      "to a body without end",
      `POST / HTTP/1.1\r\nHost: page\r\nConnection: close\r\nContent-Length: 5000000\r\n\r\n${"x".repeat(5_000_000)}`,
      /^HTTP\/1.1 413/,
    ],
  ];
  it.each(requests)("%s", async (_what, request, status) => {
    page = await listen(0, answer);
    const text = await raw(page.port, "127.0.0.1", request);
    expect(text).toMatch(status);
    for (const [name, value] of Object.entries(safeHeaders)) expect(text).toContain(`${name}: ${value}`);
    expect(text.toLowerCase()).not.toContain("access-control");
  });
});
