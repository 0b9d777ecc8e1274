// What the page does wrong for who cannot see or point, in words.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

export async function listFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
