/** Maximum length of displayed keys and pointers, in characters. */
const MAX_KEY = 80;
const MAX_POINTER = 400;

interface Level {
  /** Index in an array; undefined in an object. */
  index: number | undefined;
  /** Bounds of the last key in an object; undefined before the next key. */
  key: readonly [from: number, end: number] | undefined;
}

/**
 * The JSON pointer (RFC 6901) of the value that contains the byte `at`. The document must be valid up to there. Long keys and
 * pointers are cut off. Only for error messages.
 */
export function jsonPointer(json: Uint8Array, at: number): string {
  const levels: Level[] = [];
  for (let i = 0; i < at; i++) {
    const byte = json[i];
    if (byte === 34) {
      const end = stringEnd(json, i + 1, at);
      if (end === -1) break;
      const top = levels.at(-1);
      if (top !== undefined && top.index === undefined) top.key ??= [i + 1, end];
      i = end;
    } else if (byte === 123) levels.push({ index: undefined, key: undefined });
    else if (byte === 91) levels.push({ index: 0, key: undefined });
    else if (byte === 125 || byte === 93) levels.pop();
    else if (byte === 44) nextItem(levels.at(-1));
  }
  const pointer = levels.map((level) => token(json, level)).join('');
  return pointer.length > MAX_POINTER ? `${pointer.slice(0, MAX_POINTER)}…` : pointer;
}

/** Moves past a comma to the next item of an array or the next key of an object. */
function nextItem(level: Level | undefined): void {
  if (level?.index !== undefined) level.index++;
  else if (level !== undefined) level.key = undefined;
}

/** Position of the string's closing quote, or -1 if there is none before `at`. */
function stringEnd(json: Uint8Array, i: number, at: number): number {
  for (; i < at; i++) {
    if (json[i] === 34) return i;
    if (json[i] === 92) i++;
  }
  return -1;
}

function token(json: Uint8Array, { index, key }: Level): string {
  if (index !== undefined) return `/${index}`;
  if (key === undefined) return '';
  const [from, end] = key;
  const text = Buffer.from(json.subarray(from, Math.min(end, from + MAX_KEY))).toString();
  return `/${text.replaceAll('~', '~0').replaceAll('/', '~1')}${end > from + MAX_KEY ? '…' : ''}`;
}
