import {
  type ConfigDef,
  type ConfigKey,
  ConnectorError,
  configDef,
  type RawConfig,
} from '@levada/connect-runtime-core';
import {
  type Converter,
  type ConverterPlugin,
  conversionFailed,
  type PreparationContext,
  type ValueToConvert,
  withConverterType,
} from '@levada/connect-runtime-core/converter';
import { registryKeys } from './config/registry-keys.ts';
import { registrySettings } from './config/registry-settings.ts';
import { type SubjectNames, subjectNames } from './config/subject-names.ts';
import { tlsKeys } from './config/tls-keys.ts';
import type { FormatSchema, SchemaFormat } from './model/format.ts';
import { type Prepared, PreparedSchemas } from './registry/prepared-schemas.ts';
import { RegistryClient } from './registry/registry-client.ts';
import { type IdRule, identify } from './registry/schema-ids.ts';

/** Time before the registry is asked again about a schema it refused, in milliseconds. */
const FAILURE_KEPT_MS = 30_000;
/** The first byte of every record with a schema id. */
const MAGIC = 0;
const ID_BYTES = 4;

const commonKeys = [...registryKeys, ...tlsKeys] as const;
const common = configDef(commonKeys);

/** A converter under its class name, with the keys of its format and their meaning. */
export function registryConverter(
  className: string,
  formatKeys: readonly ConfigKey[],
  format: (raw: RawConfig) => SchemaFormat,
): ConverterPlugin {
  const config: ConfigDef = configDef([...commonKeys, ...formatKeys]);
  return {
    className,
    config,
    limitedTo: 'records',
    create: (raw, isKey) => {
      const typed = withConverterType(raw, isKey);
      config.parse(typed);
      return createConverter(typed, isKey, format(typed));
    },
  };
}

function createConverter(raw: RawConfig, isKey: boolean, format: SchemaFormat): Converter {
  const values = common.parse(raw);
  const strategy = values[isKey ? 'key.subject.name.strategy' : 'value.subject.name.strategy'];
  const schemas = new PreparedSchemas(values['schemas.cache.config']);
  const parts: Parts = {
    format,
    schemas,
    client: new RegistryClient(registrySettings(values)),
    subjects: subjectNames(strategy, isKey),
    rule: {
      autoRegister: values['auto.register.schemas'],
      useLatest: values['use.latest.version'],
      useId: values['use.schema.id'],
      normalize: values['normalize.schemas'],
    },
  };
  return {
    ...(format.accepts === undefined ? {} : { accepts: format.accepts }),
    preparation: {
      knows: ({ topic, schema, value }) =>
        schemas.get(topic, schema) !== undefined || format.isNull(schema, value),
      prepare: async (value, context) => {
        schemas.set(value.topic, value.schema, await prepareSchema(value, parts, context));
      },
    },
    fromConnectData: (topic, schema, value) => {
      if (format.isNull(schema, value)) return null;
      const found = schemas.last(topic, schema);
      if (found === undefined) throw conversionFailed('the schema of the record was not registered');
      if ('failure' in found) throw found.failure;
      return found.write(value);
    },
  };
}

interface Parts {
  readonly format: SchemaFormat;
  readonly schemas: PreparedSchemas;
  readonly client: RegistryClient;
  readonly subjects: SubjectNames;
  readonly rule: IdRule;
}

/** Prepares a schema: returns its writer, or the failure of this schema alone. Rejects if the registry does not answer. */
async function prepareSchema(
  { topic, schema }: ValueToConvert,
  { format, schemas, client, subjects, rule }: Parts,
  context: PreparationContext,
): Promise<Prepared> {
  try {
    const equal = schemas.adopt(topic, schema);
    if (equal !== undefined) return equal;
    const described = format.describe(schema);
    const subject = subjects(topic, described.recordName);
    const found = await identify(client, rule, { subject, format: format.name, schema: described }, context);
    return { write: createFramer(found.id, found.schema) };
  } catch (thrown) {
    const error = ConnectorError.from(thrown);
    if (error.code !== 'conversion_failed') throw error;
    const { clock } = context;
    return { failure: error, until: clock.monotonic() + FAILURE_KEPT_MS, clock };
  }
}

/** Writes values in the wire format of registries: a zero, the id, the format's prefix, and the value. */
function createFramer(id: number, schema: FormatSchema): (value: unknown) => Uint8Array {
  const head = Buffer.alloc(1 + ID_BYTES + schema.prefix.length);
  head[0] = MAGIC;
  head.writeUInt32BE(id, 1);
  head.set(schema.prefix, 1 + ID_BYTES);
  return (value) => {
    const body = schema.write(value);
    return Buffer.concat([head, body], head.length + body.length);
  };
}
