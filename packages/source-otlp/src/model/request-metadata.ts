/** Names, in lower case, and values of the request headers that records are to carry, in the order of the request. */
export type RequestMetadata = ReadonlyMap<string, string>;

/** Collects the headers that are configured; no others are kept. */
export class MetadataCollector {
  readonly #names: ReadonlySet<string>;
  #found: Map<string, string> | undefined;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** A header, its value with a character for each byte. Values of a name that comes several times are joined with commas. */
  add(name: string, value: string): void {
    if (this.#names.size === 0 || !this.#names.has(name)) return;
    this.#found ??= new Map();
    const before = this.#found.get(name);
    const text = Buffer.from(value, 'latin1').toString();
    this.#found.set(name, before === undefined ? text : `${before}, ${text}`);
  }

  /** Undefined when there is none. */
  get found(): RequestMetadata | undefined {
    return this.#found;
  }
}

/** The metadata in the raw headers of Node, which are alternating names and values. */
export function metadataOf(
  rawHeaders: readonly string[],
  names: ReadonlySet<string>,
): RequestMetadata | undefined {
  if (names.size === 0) return undefined;
  const collector = new MetadataCollector(names);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    collector.add(rawHeaders[at]?.toLowerCase() ?? '', rawHeaders[at + 1] ?? '');
  }
  return collector.found;
}

/** Memory that they take, about: each message that waits is counted with it. */
export function metadataBytes(metadata: RequestMetadata | undefined): number {
  let bytes = 0;
  for (const [name, value] of metadata ?? []) bytes += name.length + value.length;
  return bytes;
}
