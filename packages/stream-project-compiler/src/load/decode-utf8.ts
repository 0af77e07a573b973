/** Text, or what the bytes are instead. `valid` is the text before the first wrong byte. */
export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'utf-16' }
  | { readonly kind: 'invalid'; readonly valid: string };

/** Decodes UTF-8; a mark of byte order at the start is dropped. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { kind: 'utf-16' };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // The decoder does not say where: the longest prefix that it takes ends before the wrong byte.
    return { kind: 'invalid', valid: validPrefix(bytes) };
  }
}

function validPrefix(bytes: Uint8Array): string {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (decodes(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return new TextDecoder().decode(bytes.subarray(0, low), { stream: true });
}

/** A sequence that only lacks its end still counts. */
function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
