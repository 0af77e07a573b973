/** The name of an MBean, or a pattern of names: a domain and keys with values. Values keep their quotes. */
export interface ObjectName {
  readonly domain: string;
  /** In the order in which they were written. */
  readonly keys: ReadonlyMap<string, string>;
  /** `*` among the keys: there may be others. */
  readonly open: boolean;
}

/** Reads a name or a pattern; undefined for a text that is none. */
export function parseObjectName(text: string): ObjectName | undefined {
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const keys = new Map<string, string>();
  let open = false;
  let rest = text.slice(colon + 1);
  while (rest !== '') {
    const [part] = /^(?:\*|[^=,:*?"]+=(?:"(?:\\.|[^"\\])*"|[^,="]*))(?=,|$)/s.exec(rest) ?? [];
    if (part === undefined) return undefined;
    const equals = part.indexOf('=');
    if (equals < 0) open = true;
    else keys.set(part.slice(0, equals), part.slice(equals + 1));
    rest = rest.slice(part.length + 1);
  }
  return keys.size === 0 && !open ? undefined : { domain: text.slice(0, colon), keys, open };
}

/** Whether it stands for any number of names. */
export function isPattern({ domain, keys, open }: ObjectName): boolean {
  return open || hasWildcard(domain) || [...keys.values()].some(hasWildcard);
}

/** The key list, in the order in which it was written, or in alphabetical order. */
export function keyList({ keys }: ObjectName, canonical: boolean): string {
  const pairs = [...keys];
  if (canonical) pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([key, value]) => `${key}=${value}`).join(',');
}

/** Whether a domain fits the one of a pattern. */
export function matchesDomain(pattern: ObjectName, domain: string): boolean {
  return matchesText(pattern.domain, domain);
}

/** Whether a name fits a pattern. */
export function matchesName(pattern: ObjectName, name: ObjectName): boolean {
  if (!matchesDomain(pattern, name.domain)) return false;
  if (!pattern.open && pattern.keys.size !== name.keys.size) return false;
  for (const [key, value] of pattern.keys) {
    const present = name.keys.get(key);
    if (present === undefined || !matchesText(value, present)) return false;
  }
  return true;
}

function hasWildcard(text: string): boolean {
  return /(?<!\\)[*?]/.test(text);
}

/** `*` stands for any text, `?` for one character. Takes time in proportion to both lengths, whatever the pattern. */
function matchesText(pattern: string, text: string): boolean {
  if (!hasWildcard(pattern)) return pattern === text;
  let at = 0;
  let from = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const char = pattern[from];
    if (char === '*') {
      star = from;
      starAt = at;
      from += 1;
    } else if (char === '?' || (char !== undefined && char === text[at])) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      from = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}
