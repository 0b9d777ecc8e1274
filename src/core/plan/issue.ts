// An issue of a tracker as a task: its title is the first heading, its text follows. What `gh issue view` prints into a pipe
// is understood too.

/** Task text from a title and a body, or from a text that may begin with fields as gh prints them. */
export function buildIssueTask({ title, body }: { readonly title: string; readonly body: string }): string {
  const text = body.replaceAll("\r\n", "\n").trim();
  return `# ${title.trim()}\n${text === "" ? "" : `\n${text}\n`}`;
}

const fields = /^title:\t(.*)\n(?:[a-z]+:\t.*\n)*--\n([\s\S]*)$/u;

export function parseIssueText(text: string): string {
  const [, title, body = ""] = fields.exec(text.replaceAll("\r\n", "\n")) ?? [];
  return title === undefined ? `${text.trimEnd()}\n` : buildIssueTask({ title, body });
}
