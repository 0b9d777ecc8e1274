// What is closed behind each test file. Files share a process and its modules, so a module that makes things for them cannot say
// `afterAll` itself: it is loaded once, for the first of them. tests/each-file.ts says it for each.
const open: (() => Promise<void>)[] = [];

export function closeAfterFile(close: () => Promise<void>): void {
  open.push(close);
}

export async function closeOpened(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}
