/** Names of the headers that the receiver reads, in lower case, and what they are called here. */
const fields = {
  host: 'host',
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  'content-length': 'contentLength',
  'transfer-encoding': 'transferEncoding',
  authorization: 'authorization',
  expect: 'expect',
  origin: 'origin',
  'sec-fetch-site': 'fetchSite',
  'access-control-request-method': 'requestMethod',
} as const;

type Field = (typeof fields)[keyof typeof fields];

/** The headers of a request that the receiver reads. Those that were sent several times are joined with commas. */
export type ScannedHeaders = Readonly<Partial<Record<Field, string>>> & {
  /** Host headers; only one is right. */
  readonly hosts: number;
};

const fieldsByName: ReadonlyMap<string, Field> = new Map(Object.entries(fields));

/** Reads alternating names and values, as they were sent: Node's own object of headers keeps the first of two and hides the second. */
export function scanHeaders(rawHeaders: readonly string[]): ScannedHeaders {
  const found: Partial<Record<Field, string>> = {};
  let hosts = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const field = fieldsByName.get(rawHeaders[at]?.toLowerCase() ?? '');
    if (field === undefined) continue;
    if (field === 'host') hosts++;
    const before = found[field];
    const value = rawHeaders[at + 1] ?? '';
    found[field] = before === undefined ? value : `${before}, ${value}`;
  }
  return { ...found, hosts };
}
