// Made-up credentials, put together at run time: no file of this project holds anything that looks like a key.

const letters = "qW7eR2tY9uI4oP1aS8dF3gH6jK5lZ0xCvBnM";
/** So many letters and digits, always the same ones. */
export const some = (length: number): string =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
const base64Lines = [some(64), some(64), some(22)];

/** A private key; `before` stands before each further line, as in a diff or a listing. */
export const pem = (lineEnd = "\n", before = ""): string =>
  [`-----BEGIN RSA ${"PRIVATE"} KEY-----`, ...base64Lines, `-----END RSA ${"PRIVATE"} KEY-----`].join(
    lineEnd + before,
  );

/** One or more credentials a kind; found by their looks alone, wherever they stand. */
export const samples: Readonly<Record<string, readonly string[]>> = {
  "private-key": [pem(), pem("\\n"), pem("\n", "+"), pem("\n", "   "), pem("\r\n")],
  "anthropic-key": [`sk-ant-api03-${some(90)}`, `sk-ant-oat01-${some(40)}`],
  "github-token": [
    `ghp_${some(36)}`,
    `gho_${some(36)}`,
    `ghs_${some(36)}`,
    `github_pat_${some(22)}_${some(59)}`,
  ],
  "gitlab-token": [`glpat-${some(20)}`],
  "aws-key": [`AKIA${"Z2QX4ABCD7EFGH3J"}`, `ASIA${"Z2QX4ABCD7EFGH3J"}`],
  "google-key": [`AIza${some(35)}`, `ya29.${some(60)}`],
  "slack-token": [`xoxb-123456789012-${some(24)}`, `xapp-1-A0123-${some(24)}`],
  "npm-token": [`npm_${some(36)}`],
  "stripe-key": [`sk_${"live"}_${some(24)}`],
  "model-key": [`hf_${some(34)}`, `gsk_${some(52)}`, `xai-${some(80)}`],
  jwt: [`eyJ${some(33)}.eyJ${some(60)}.${some(43)}`],
};

/** What tells more than itself: the words before it stay. `kept` is what must be left over. */
export const inContext: readonly { kind: string; kept: string; secret: string }[] = [
  { kind: "openai-key", kept: "key: ", secret: `sk-${some(48)}` },
  { kind: "openai-key", kept: "OPENAI=", secret: `sk-proj-${some(30)}-${some(30)}` },
  { kind: "openai-key", kept: "", secret: `sk-or-v1-${"0af3".repeat(16)}` },
  { kind: "aws-secret", kept: "aws_secret_access_key = ", secret: some(40) },
  { kind: "aws-secret", kept: "AWS_SECRET_ACCESS_KEY=", secret: `${some(20)}/${some(19)}` },
  { kind: "aws-secret", kept: '\\"SecretAccessKey\\": \\"', secret: some(40) },
  { kind: "authorization", kept: "Authorization: Bearer ", secret: some(20) },
  { kind: "authorization", kept: '"authorization": "Basic ', secret: "dXNlcjpwYXNzd29yZA==" },
  { kind: "authorization", kept: "x-api-key: ", secret: some(20) },
  { kind: "turn", kept: "fix-cart:t12.3:", secret: some(43) },
];

/** The kind of text a record is full of: none of it may be touched. */
export const harmless: readonly string[] = [
  "The total ignored the discount; task-management-and-scheduling-service-v2 and risk-assessment-2024-report are fine.",
  "3f2a1c9d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b tree 9daeafb9864cf43055ae93beb0afd6c7d144bfa4",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  "session 7c9e6679-7425-40de-944b-e07fc1f90ae7, turn t12.3, digest 5d0e91aa0c55ad01",
  'if (key.startsWith("sk-")) return headers["authorization"] === `Bearer ${token}`;',
  'const begin = "-----BEGIN PRIVATE KEY-----"; const end = "-----END PRIVATE KEY-----";',
  "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
  "Use an Authorization: Bearer token-based-authentication header, or Basic authentication.",
  "aws_secret_access_key = os.environ['AWS_SECRET_ACCESS_KEY']; secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY",
  "npm_config_registry npm_lifecycle_event npm_package_dependencies_left_pad_version_latest",
  "class sk-folding-cube-animation-delay, .sk-circle-fade-dot, xoxo-hugs-and-kisses-to-everyone-here",
  "AKIAIOSFODNN7EXAMPLE is the example of the manual; ASIAPACIFICREGIONALHEADQUARTERS is a place",
  "src/adapters/agent/scripted-runner.ts:110 /home/someone/.config/pairflow/operator.key refs/pairflow/a/round-001",
  "at 12:t3.4: the clock; round:t1.2:ok; GET /v1/messages?beta=true 200 in 00:12:31",
  "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2V0MTEwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEdGVz\n-----END CERTIFICATE-----",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk2d2VrZ2V5Zm9ydGVzdGluZ29ubHlub3RhcmVhbA someone@host",
];

/** Addresses and commands that hold a credential: what must go, and what must stay around it. */
export const inAddresses: readonly { text: string; clean: string }[] = [
  ["https://user:secret@host/repo.git", "https://user:[redacted:url-password]@host/repo.git"],
  [
    "fatal: unable to access 'https://bob:hunter2@git.example.com/a.git/'",
    "fatal: unable to access 'https://bob:[redacted:url-password]@git.example.com/a.git/'",
  ],
  [
    "origin\thttps://x-access-token:abc-def@github.com/o/r (fetch)",
    "origin\thttps://x-access-token:[redacted:url-password]@github.com/o/r (fetch)",
  ],
  [
    "postgres://app:p%40ss!w,rd@db.internal:5432/shop?ssl=1",
    "postgres://app:[redacted:url-password]@db.internal:5432/shop?ssl=1",
  ],
  ["redis://:pa$$word@cache:6379", "redis://:[redacted:url-password]@cache:6379"],
  [
    "mongodb+srv://u:Zq1@cluster0.example.net/?w=majority",
    "mongodb+srv://u:[redacted:url-password]@cluster0.example.net/?w=majority",
  ],
  ['{\\"url\\":\\"https://a:b1c2@h\\"}', '{\\"url\\":\\"https://a:[redacted:url-password]@h\\"}'],
  ["postgres://app:s3cr3t@localhost/x", "postgres://app:[redacted:url-password]@localhost/x"],
  [`https://${some(24)}@example.com/x`, "https://[redacted:url-token]@example.com/x"],
  [
    `GET https://h/api?page=2&access_token=${some(20)}&x=1`,
    "GET https://h/api?page=2&access_token=[redacted:url-token]&x=1",
  ],
  [`deploy --token ${some(20)} --to prod`, "deploy --token [redacted:password] --to prod"],
  ["curl -s -u admin:hunter2 https://h/x", "curl -s -u admin:[redacted:password] https://h/x"],
].map(([text = "", clean = ""]) => ({ text, clean }));

/** What only looks like it. */
export const innocentAddresses: readonly string[] = [
  "write to bob@example.com or a:b@c; git@github.com:owner/repo.git, host:path/to@x, user@host:22",
  "ssh://git@github.com:22/owner/repo.git https://bob@example.com/x http://localhost:3000/@scope/pkg",
  "http://host:8080/path@2x.png https://a.b:443/?q=me@there.org https://unpkg.com/react@18.2.0/umd.js",
  "https://user:password@host https://user:${PASSWORD}@host https://u:$PASS@h https://u:<secret>@h https://u:{pw}@h https://u:***@h",
  "postgres://postgres:postgres@localhost:5432/test postgres://app:app@db/x mysql://root:root@mysql:3306",
  'new URL(`https://${user}:${password}@${host}/`); fetch("https://" + user + ":" + pass + "@" + host)',
  "npm:left-pad@1.3.0 workspace:core@* jsr:@std/assert@1 pkg:npm/%40angular/animation@12.3.1 data:text/plain,a:b@c",
  "docker login --password-stdin; tool --token $TOKEN --secret id=npmrc,src=.npmrc --password=",
  "GET /list?token=next&key=name&page=2 https://h/?key=title&sort=asc",
  "curl -u user https://h; curl -u $USER:$PASS https://h; sort -u a:b",
];
