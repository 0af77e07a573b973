type Said = Readonly<Record<string, unknown>>;

/** Places of a value that are not as a published shape says. Knows the words that our shapes have, and fails on others. */
export function schemaMisfits(value: unknown, schema: unknown, at = '$'): readonly string[] {
  const { title: _title, $schema: _dialect, ...said } = schema as Said;
  if ('const' in said) return value === said['const'] ? [] : [at];
  if (Array.isArray(said['enum'])) return said['enum'].includes(value) ? [] : [at];
  if (said['type'] === 'array') {
    if (!Array.isArray(value)) return [at];
    return value.flatMap((item, index) => schemaMisfits(item, said['items'], `${at}[${index}]`));
  }
  if (said['type'] === 'object') return objectMisfits(value, said, at);
  if (said['type'] === 'string' || said['type'] === 'number')
    return typeof value === said['type'] ? [] : [at];
  throw new Error(`no rule for ${JSON.stringify(said)}`);
}

function objectMisfits(value: unknown, said: Said, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at];
  const given = value as Said;
  const properties = said['properties'] as Said;
  const missing = (said['required'] as readonly string[]).filter((key) => !(key in given));
  const wrong = Object.keys(given).flatMap((key) =>
    key in properties ? schemaMisfits(given[key], properties[key], `${at}.${key}`) : [`${at}.${key} unknown`],
  );
  return [...missing.map((key) => `${at}.${key} missing`), ...wrong];
}
