// A passkey in the browser's own test authenticator, made on the page as a person makes one.
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { keepKey, listWaitingKeys } from "../../src/app/operators/kept.ts";
import type { OperatorKey } from "../../src/core/model/page/proof.ts";
import type { Rig } from "../acceptance/rig.ts";

export interface Authenticator {
  readonly cdp: CDPSession;
  readonly id: string;
}

/** A device that verifies its user and is touched by itself. */
export async function addAuthenticator(context: BrowserContext, page: Page): Promise<Authenticator> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}

/** Makes a key on the page of keys; it waits for its word at the terminal. */
export async function makePasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByLabel("What it is called").fill(name);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByRole("listitem", { name: `${name}: waits for the terminal` }).waitFor();
}

/** Confirms the key that waits under this name. What the terminal asks before that is tested apart. */
export function confirmPasskey({ env }: Rig, name: string): OperatorKey {
  const key = listWaitingKeys(env, Date.now()).find((one) => one.name === name);
  if (!key) throw new Error(`no key ${name} waits`);
  keepKey(env, key, new Date().toISOString());
  return key;
}
