type Said = Readonly<Record<string, unknown>>;

/** Places of a value that are not as a JSON Schema of ours says. Throws for a word that is not known here. */
export function jsonSchemaMisfits(value: unknown, schema: unknown): readonly string[] {
  return misfits(value, schema as Said, { root: schema as Said, at: '$' });
}

interface Where {
  readonly root: Said;
  readonly at: string;
}

function misfits(value: unknown, schema: Said, where: Where): readonly string[] {
  const { title: _title, description: _description, $schema: _dialect, $defs: _defs, ...said } = schema;
  if (typeof said['$ref'] === 'string') return misfits(value, definition(said['$ref'], where.root), where);
  if (Array.isArray(said['anyOf'])) {
    const found = said['anyOf'].map((one) => misfits(value, one as Said, where));
    return found.find((one) => one.length === 0) ?? found[0] ?? [where.at];
  }
  if ('const' in said) return value === said['const'] ? [] : [where.at];
  if (Array.isArray(said['enum'])) return said['enum'].includes(value) ? [] : [where.at];
  const types = [said['type']].flat();
  if (!types.includes(typeOf(value)) && !(types.includes('integer') && Number.isInteger(value)))
    return [`${where.at} is ${typeOf(value)}, not ${types.join(' or ')}`];
  if (Array.isArray(value)) return listMisfits(value, said, where);
  return typeof value === 'object' && value !== null ? objectMisfits(value as Said, said, where) : [];
}

function listMisfits(value: readonly unknown[], said: Said, { root, at }: Where): readonly string[] {
  const { items, prefixItems } = said as { items?: Said; prefixItems?: readonly Said[] };
  return value.flatMap((item, index) => {
    const schema = prefixItems?.[index] ?? items;
    if (typeof schema !== 'object') throw new Error(`no rule for items of ${JSON.stringify(said)}`);
    return misfits(item, schema, { root, at: `${at}[${index}]` });
  });
}

function objectMisfits(value: Said, said: Said, { root, at }: Where): readonly string[] {
  const properties = (said['properties'] ?? {}) as Readonly<Record<string, Said>>;
  const required = (said['required'] ?? []) as readonly string[];
  const others = said['additionalProperties'];
  const missing = required.filter((key) => !(key in value)).map((key) => `${at}.${key} missing`);
  const wrong = Object.entries(value).flatMap(([key, inner]) => {
    if (properties[key] === undefined && others === true) return [];
    const schema = properties[key] ?? (typeof others === 'object' ? (others as Said) : undefined);
    return schema === undefined
      ? [`${at}.${key} unknown`]
      : misfits(inner, schema, { root, at: `${at}.${key}` });
  });
  return [...missing, ...wrong];
}

function definition(reference: string, root: Said): Said {
  const name = reference.replace('#/$defs/', '');
  return (root['$defs'] as Readonly<Record<string, Said>>)[name] ?? {};
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
