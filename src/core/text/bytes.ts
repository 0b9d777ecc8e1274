// Bytes as text: hexadecimal, and the base64 of addresses that browsers use.

export function decodeHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Without padding, as in the data that a browser signs. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const length = b === undefined ? 2 : c === undefined ? 3 : 4;
    for (let i = 0; i < length; i++) text += alphabet[(bits >> (18 - 6 * i)) & 63];
  }
  return text;
}
