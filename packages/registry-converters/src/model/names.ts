/** Which first characters a format does not take beside digits. */
export interface NameRule {
  readonly underscoreFirst: boolean;
}

/**
 * A name with everything replaced by underscores that Avro and Protobuf do not take, as Confluent's converters do with
 * `scrub.invalid.names`: percent-encoded as in a URL first, then every other character becomes an underscore; `x` goes before
 * a first character that is not allowed there.
 */
export function scrubbed(name: string, { underscoreFirst }: NameRule): string {
  const first = underscoreFirst ? /^\d/ : /^[\d_]/;
  if (name === '' || (/^\w+$/.test(name) && !first.test(name))) return name;
  const encoded = encodeURIComponent(name)
    .replace(/[!'()~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
  return (first.test(encoded) ? `x${encoded}` : encoded).replace(/\W/g, '_');
}

/** A full name as namespace and last part; the namespace is undefined when there is none. */
export function splitName(full: string): { readonly namespace: string | undefined; readonly name: string } {
  const dot = full.lastIndexOf('.');
  return dot < 0
    ? { namespace: undefined, name: full }
    : { namespace: full.slice(0, dot), name: full.slice(dot + 1) };
}

/** A full name with each of its parts scrubbed. */
export function scrubbedFullName(full: string, rule: NameRule): string {
  return full
    .split('.')
    .map((part) => scrubbed(part, rule))
    .join('.');
}
