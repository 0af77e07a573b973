/** Invalid first characters of a format, in addition to digits. */
export interface NameRule {
  readonly underscoreFirst: boolean;
}

/**
 * Replaces all characters that Avro and Protobuf do not allow in names, as Confluent's converters do with `scrub.invalid.names`:
 * percent-encodes the name as in a URL, then replaces every other character by an underscore. Prefixes an invalid first character
 * with `x`.
 */
export function scrubName(name: string, { underscoreFirst }: NameRule): string {
  const first = underscoreFirst ? /^\d/ : /^[\d_]/;
  if (name === '' || (/^\w+$/.test(name) && !first.test(name))) return name;
  const encoded = encodeURIComponent(name)
    .replace(/[!'()~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
  return (first.test(encoded) ? `x${encoded}` : encoded).replace(/\W/g, '_');
}

/** Splits a full name into namespace and last part. The namespace is undefined if there is only one part. */
export function splitName(full: string): { readonly namespace: string | undefined; readonly name: string } {
  const dot = full.lastIndexOf('.');
  return dot < 0
    ? { namespace: undefined, name: full }
    : { namespace: full.slice(0, dot), name: full.slice(dot + 1) };
}

/** Scrubs each part of a full name. */
export function scrubFullName(full: string, rule: NameRule): string {
  return full
    .split('.')
    .map((part) => scrubName(part, rule))
    .join('.');
}
