/**
 * The bytes of base64 text: standard or URL-safe alphabet, padding or none, white space anywhere. Undefined when it is no
 * base64.
 */
export function base64Bytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/[ \t\r\n]+/g, '');
  const end = digits.indexOf('=');
  const padding = end < 0 ? 0 : digits.length - end;
  const body = padding === 0 ? digits : digits.slice(0, end);
  if (!/^[A-Za-z0-9+/_-]*$/.test(body) || body.length % 4 === 1) return undefined;
  if (padding > 0 && (!/^={1,2}$/.test(digits.slice(end)) || digits.length % 4 !== 0)) return undefined;
  return Buffer.from(body, 'base64');
}
