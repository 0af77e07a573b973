// A link carries the project in its fragment, which a browser sends to no server.

const PREFIX = '#project=';
/** Longest project that a link may hold, in characters: a small text can unpack to a large one. */
const MAX_LENGTH = 1_000_000;

/** The fragment of a link to this project: deflate, then base64 with the characters of URLs. */
export async function fragmentOf(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return PREFIX + base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The project of a link; undefined when it has none, or one that cannot be read. */
export async function projectOf(fragment: string): Promise<string | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  try {
    const base64 = fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return await limitedText(unpacked);
  } catch {
    return undefined; // a link that was cut or changed on its way
  }
}

async function limitedText(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= MAX_LENGTH) continue;
    await reader.cancel();
    return undefined;
  }
}
