// What well-known credentials look like. Each pattern wants more than a prefix, so that prose, code, hashes and paths
// stay as they are; a line of the record that was changed for nothing would be a wrong line. What looks ahead has a bound,
// so that no text, however made, takes long.

export interface SecretPattern {
  /** Stands in the text instead of the secret: [redacted:kind]. */
  readonly kind: string;
  /** What comes before the secret and stays readable: a header's name, a setting's name. */
  readonly after?: string;
  readonly secret: string;
}

/** Each pattern has one of these in every text in which it is found. */
const beginnings = [
  "-----BEGIN ",
  ..."sk-ant- sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1-".split(" "),
  ..."ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- AKIA ASIA AIza ya29. npm_ k_live_ hf_ gsk_ xai- eyJ".split(
    " ",
  ),
  ..."xoxa- xoxb- xoxc- xoxe- xoxp- xoxr- xoxs- xapp- uthorization AUTHORIZATION".split(" "),
  ..."x-api-key X-Api-Key X-API-Key X-API-KEY".split(" "),
  ..."aws_secret_access_key AWS_SECRET_ACCESS_KEY ecretAccessKey".split(" "),
];

/** How options are called that hold one. */
const options = ["-passw", "-token", "-api-key", "-secret"];

/** Whether a pattern may be in the text. Plain searching, since a short command pays for each expression that it makes. */
export function mayHoldSecret(text: string): boolean {
  const has = (part: string) => text.includes(part);
  return (
    beginnings.some(has) ||
    options.some(has) ||
    (has("sk-") && /sk-[A-Za-z0-9]{16}/.test(text)) ||
    (has(":t") && /:t\d/.test(text)) ||
    (has("://") && /:\/\/[^\s/]{0,400}@|[?&][\w-]{0,30}=[\w.~%+/-]{16}/.test(text)) ||
    (has("curl ") && /curl .{0,300}(?:-u|--user)/.test(text))
  );
}

const raw = String.raw;

/** A key is base64 in long lines, also behind a diff's signs or as a text inside JSON; a mere mention of one is not. */
const pemLine = raw`[A-Za-z0-9+/=]{40,}`;
const pemBetween = raw`[^A-Za-z0-9+/=\[]{1,12}`;
const pemText = raw`(?:[^-\[]|-(?!----))`;
const pemEnd = raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const pem =
  raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----` +
  raw`(?=${pemText}{0,400}?${pemLine})` +
  // Whole up to its end; or, cut off, as far as its lines go.
  raw`(?:${pemText}{0,20000}${pemEnd}|${pemText}{0,400}?${pemLine}(?:${pemBetween}${pemLine})*(?:${pemBetween}[A-Za-z0-9+/=]{8,76})?)`;

/** A mixture of letters and digits, as no sentence has it. */
const telling = raw`(?=[A-Za-z_-]{0,99}\d)(?=\d{0,99}[A-Za-z])[\w.~%+/-]`;

/** What stands for a password in examples and templates, and what protects nothing: the user's own name, a word on this machine. */
const noPassword =
  raw`(?![$<{[*]|%[(s]|(?:password|passwd|pass|pwd|PASSWORD)@|\.\.\.|…|\k<user>@` +
  raw`|[a-z]{1,16}@(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?![\w.-]))`;

const quoted = raw`["'\\\s]{0,4}`;

export const patterns: readonly SecretPattern[] = [
  { kind: "private-key", secret: pem },
  { kind: "anthropic-key", secret: raw`sk-ant-[\w-]{20,}` },
  {
    kind: "openai-key",
    // Looking back behind the literal keeps the search quick, and words such as task-… out.
    secret: raw`sk-(?<![A-Za-z0-9]sk-)(?:(?:proj|svcacct|admin|None|or-v1)-(?=[A-Za-z_-]{0,99}\d)[\w-]{20,}|[A-Za-z0-9]{32,})`,
  },
  { kind: "github-token", secret: raw`gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}` },
  { kind: "gitlab-token", secret: raw`glpat-(?=[A-Za-z_-]{0,99}\d)[\w-]{20,}` },
  { kind: "aws-key", secret: raw`AKIA(?!IOSFODNN7EXAMPLE)[A-Z0-9]{16}|ASIA(?=[A-Z]{0,15}\d)[A-Z0-9]{16}` },
  {
    kind: "aws-secret",
    after: raw`(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|[sS]ecretAccessKey)${quoted}[=:]${quoted}`,
    secret: raw`[A-Za-z0-9/+]{40,}`,
  },
  { kind: "google-key", secret: raw`AIza[\w-]{35,}|ya29\.[\w-]{30,}` },
  {
    kind: "slack-token",
    secret: raw`xox[abceprs]-(?=[A-Za-z-]{0,99}\d)[A-Za-z0-9-]{18,}|xapp-\d-[A-Za-z0-9-]{18,}`,
  },
  { kind: "npm-token", secret: raw`npm_[A-Za-z0-9]{36,}` },
  { kind: "stripe-key", secret: raw`[rs]k_live_[A-Za-z0-9]{20,}` },
  { kind: "model-key", secret: raw`hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}` },
  { kind: "jwt", secret: raw`eyJ[\w-]{10,300}\.eyJ[\w-]{10,8000}\.[\w-]{10,}` },
  {
    kind: "authorization",
    after:
      raw`(?:[Aa]uthorization|AUTHORIZATION)${quoted}[:=]${quoted}(?:[Bb]earer|BEARER|[Bb]asic|[Tt]oken) {1,2}` +
      raw`|(?:x-api-key|X-Api-Key|X-API-Key|X-API-KEY)${quoted}[:=]${quoted}`,
    // A digit or the padding of base64: sentences about headers have neither.
    secret: raw`(?=[A-Za-z._~+/-]{0,99}[\d=])[\w.~+/=-]{16,}`,
  },
  {
    // The user and the host stay readable: they say which remote it was.
    kind: "url-password",
    after: raw`(?<=[A-Za-z0-9+.-])://(?<user>[^\s/?#:@["'\x60<>\\]{0,100}):`,
    secret: raw`${noPassword}[^\s/?#@"'\x60<>\\]{1,200}(?=@[\w.[-])`,
  },
  { kind: "url-token", after: raw`(?<=[A-Za-z0-9+.-])://`, secret: raw`${telling}{20,}(?=@[\w.[-])` },
  {
    kind: "url-token",
    after: raw`[?&](?:(?:access|auth|private|id|refresh)_token|token|api_?key|key|secret|password|sig|signature)=`,
    secret: raw`${telling}{16,}`,
  },
  {
    kind: "password",
    after: raw`(?<![\w-])--?(?:password|passwd|token|auth-token|api-key|secret)[= ]["']?`,
    secret: raw`${telling}{12,}`,
  },
  {
    kind: "password",
    after: raw`curl [^\n|;]{0,300}(?<![\w-])(?:-u|--user)[= ]?["']?[^\s:"'$]{1,100}:`,
    secret: raw`(?![$<{[*])[^\s"'\x60]{1,200}`,
  },
  // The capability of a turn, bubble:turn.attempt:secret: which turn it was stays readable.
  { kind: "turn", after: raw`:t\d{1,9}\.\d{1,9}:`, secret: raw`[\w-]{32,}` },
];
