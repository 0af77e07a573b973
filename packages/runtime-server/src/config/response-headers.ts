/** A header that every answer carries. */
export type StaticHeader = readonly [name: string, value: string];

/**
 * Reads `response.http.headers.config`: comma-separated `action Name: value` with the actions `set`, `add`, `setDate` and
 * `addDate` (value in milliseconds since 1970); an entry with a comma inside is in double quotes. `set` replaces the values
 * before it of the same name. Throws with Kafka's kind of message for anything else.
 */
export function parseResponseHeaders(text: string): readonly StaticHeader[] {
  let headers: readonly StaticHeader[] = [];
  for (const { header, replaces } of splitEntries(text).map(parseEntry)) {
    headers = [...(replaces ? withoutNames(headers, [header]) : headers), header];
  }
  return headers;
}

/** The headers whose names are not among those of `others`. */
export function withoutNames(
  headers: readonly StaticHeader[],
  others: readonly StaticHeader[],
): readonly StaticHeader[] {
  const names = new Set(others.map(([name]) => name.toLowerCase()));
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

function splitEntries(text: string): readonly string[] {
  return [...text.matchAll(/\s*(?:"([^"]*)"|([^,]+))\s*(?:,|$)/g)]
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').trim())
    .filter((entry) => entry !== '');
}

function parseEntry(entry: string): { readonly header: StaticHeader; readonly replaces: boolean } {
  const parts = /^(set|add|setDate|addDate)\s+([!#$%&'*+.^_`|~\w-]+)\s*:\s*([\t\x20-\x7e]*)$/.exec(entry);
  const [, action = '', name, value] = parts ?? [];
  if (name === undefined || value === undefined) {
    throw new Error(`Expected "[set|add|setDate|addDate] name: value", found "${entry.slice(0, 80)}"`);
  }
  const replaces = action.startsWith('set');
  if (!action.endsWith('Date')) return { header: [name, value], replaces };
  const time = new Date(/^\d+$/.test(value) ? Number(value) : value);
  if (Number.isNaN(time.getTime()))
    throw new Error(`"${value.slice(0, 80)}" is not a time for header ${name}`);
  return { header: [name, time.toUTCString()], replaces };
}
