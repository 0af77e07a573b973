import { conversionFailed } from '@levada/connect-runtime-core/converter';
import { MAX_DEPTH } from '../model/failure.ts';
import {
  type AvroPrimitive,
  type AvroProps,
  type AvroRecord,
  type AvroType,
  noProps,
  primitives,
} from './avro-type.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parses an Avro schema of a registry. Keeps only attributes that affect the meaning of numbers. Throws `conversion_failed`. */
export function parseAvro(text: string): AvroType {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = text; // a primitive may be registered as its plain name
  }
  return read(json, '', { named: new Map(), depth: 0 });
}

interface Context {
  readonly named: Map<string, AvroType>;
  readonly depth: number;
}

function read(json: unknown, space: string, { named, depth }: Context): AvroType {
  if (depth > MAX_DEPTH) throw conversionFailed(`the registered schema is nested deeper than ${MAX_DEPTH}`);
  const inner = { named, depth: depth + 1 };
  if (typeof json === 'string') return byName(json, space, named);
  if (Array.isArray(json)) return { kind: 'union', branches: json.map((one) => read(one, space, inner)) };
  if (typeof json !== 'object' || json === null) throw notAvro();
  const { type } = json as Json;
  if (typeof type !== 'string') return read(type, space, inner);
  if (type === 'array')
    return { kind: 'array', items: read((json as Json)['items'], space, inner), props: noProps };
  if (type === 'map')
    return { kind: 'map', values: read((json as Json)['values'], space, inner), props: noProps };
  if (type === 'record' || type === 'error' || type === 'enum' || type === 'fixed')
    return define(json as Json, type, space, inner);
  const found = byName(type, space, named);
  return found.kind === 'primitive' ? { ...found, props: meaning(json as Json) } : found;
}

/** The logical type, and the scale of a decimal (default 0). */
function meaning({ logicalType, scale = 0 }: Json): AvroProps {
  if (typeof logicalType !== 'string') return noProps;
  const text = JSON.stringify(logicalType);
  return new Map([
    ['logicalType', text],
    ...(logicalType === 'decimal' ? [['scale', String(scale)] as const] : []),
  ]);
}

function byName(name: string, space: string, named: ReadonlyMap<string, AvroType>): AvroType {
  if (primitives.includes(name as AvroPrimitive))
    return { kind: 'primitive', type: name as AvroPrimitive, props: noProps };
  const found = named.get(qualifyName(name, space)) ?? named.get(name);
  if (found !== undefined) return found;
  throw conversionFailed(
    `the registered schema refers to "${name}", which it does not define; references to other subjects are not supported`,
  );
}

function define(json: Json, kind: string, space: string, context: Context): AvroType {
  const own = json['namespace'];
  const full = qualifyName(String(json['name']), typeof own === 'string' ? own : space);
  const inside = full.includes('.') ? full.slice(0, full.lastIndexOf('.')) : '';
  if (kind === 'enum') {
    const symbols = list(json['symbols']).map(String);
    return keep(context, { kind: 'enum', name: full, symbols, props: noProps });
  }
  if (kind === 'fixed')
    return keep(context, { kind, name: full, size: Number(json['size']), props: meaning(json) });
  const record: AvroRecord = { kind: 'record', name: full, fields: [], props: noProps };
  keep(context, record);
  for (const each of list(json['fields'])) {
    const field = each as Json;
    record.fields.push({
      name: String(field['name']),
      type: read(field['type'], inside, context),
      ...(field['default'] === undefined ? {} : { default: JSON.stringify(field['default']) }),
    });
  }
  return record;
}

function keep(context: Context, type: Extract<AvroType, { readonly name: string }>): AvroType {
  context.named.set(type.name, type);
  return type;
}

function qualifyName(name: string, space: string): string {
  return name.includes('.') || space === '' ? name : `${space}.${name}`;
}

function list(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw notAvro();
}

function notAvro(): Error {
  return conversionFailed('the registered schema is no Avro schema');
}
