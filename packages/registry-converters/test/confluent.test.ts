import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GoldenCase, goldenCases } from './golden-cases.ts';
import { convert, makeConverter } from './make-converter.ts';
import { type RegistryHere, startRegistryHere } from './registry-here.ts';

let registry: RegistryHere;
beforeAll(async () => {
  registry = await startRegistryHere(() => [200, { id: 1 }]);
});
afterAll(() => registry.close());

const formats = [
  ['AvroConverter', goldenCases('avro')],
  ['JsonSchemaConverter', goldenCases('json')],
  ['ProtobufConverter', goldenCases('protobuf')],
] as const;

/** Confluent's JSON Schemas have their members in hash order. */
function normalize(simpleName: string, text: string | undefined): unknown {
  return simpleName !== 'JsonSchemaConverter' || text === undefined
    ? text
    : JSON.parse(text, (key, value: unknown) =>
        key === 'oneOf' && Array.isArray(value)
          ? value.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length)
          : value,
      );
}

describe.each(formats)('%s', (simpleName, cases) => {
  const named = cases.map((each): [string, GoldenCase] => [each.name, each]);

  it.each(named)("the bytes and the schema equal those of Confluent's converter: %s", async (_, golden) => {
    const { config, schema, value, bytes, text } = golden;
    const before = registry.requests.length;
    const converter = makeConverter(simpleName, { ...config, 'schema.registry.url': registry.url });
    const written = await convert(converter, { topic: 't', schema, value });
    expect(written?.toString('hex') ?? null).toBe(bytes === null ? null : `0000000001${bytes}`);
    const [request] = registry.requests.slice(before);
    expect(request === undefined).toBe(bytes === null);
    if (request === undefined || text === undefined) return;
    const { schema: registered } = request.body as { readonly schema: string };
    expect(normalize(simpleName, registered)).toEqual(normalize(simpleName, text));
  });
});
