import type { InferredProject } from '../../infer/infer-project.ts';
import { withoutVariables } from '../../jobs/text/sql-words.ts';
import { numberAt, textAt } from '../../parse/known-value.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import { isOnlyReferences } from '../../parse/secret-in-clear.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { inputFormats, isChanging, type SinkNeeds, shared, sinkNeeds } from './sink-inputs.ts';
import type { TopicFormat } from './topic-format.ts';

/** Classes of Kafka Connect, and of the converters for a registry: a Java worker and Levada's take both under these names. */
export const converterClasses = {
  avro: 'io.confluent.connect.avro.AvroConverter',
  bytes: 'org.apache.kafka.connect.converters.ByteArrayConverter',
  json: 'org.apache.kafka.connect.json.JsonConverter',
  protobuf: 'io.confluent.connect.protobuf.ProtobufConverter',
  text: 'org.apache.kafka.connect.storage.StringConverter',
} as const;

type Rows = readonly (readonly [key: string, value: string])[];

/** The sink of a model: its connector as the project names it, the class of that, and `sink.config`. */
export interface SinkFacts {
  readonly connector: string;
  readonly className: string;
  readonly config: ReadonlyMap<string, string>;
}

/** Configuration that follows from the records of a sink. What `sink.config` says wins. */
export interface RecordConfig {
  readonly texts: ReadonlyMap<string, string>;
  /** Keys whose text holds a secret that is written in the project's own file. */
  readonly secretKeys: ReadonlySet<string>;
}

/** How a sink reads its records, what it does with those that it cannot read, and by which key it writes rows. */
export function recordConfig(project: InferredProject, model: ResolvedModel, sink: SinkFacts): RecordConfig {
  const { parsed } = project.resolved;
  const formats = inputFormats(project, model) ?? [];
  const { withoutSchema, table } = sinkNeeds(sink.connector, sink.className);
  const value = shared(formats, valueConverter);
  const key = shared(formats, keyConverter);
  const registry = registryKeys(parsed);
  const converters = [
    ...converterRows('key', key, registry.rows, sink.config),
    ...converterRows('value', value, registry.rows, sink.config),
  ];
  const texts = new Map([
    ...converters,
    ...(value === 'json' && typeof withoutSchema === 'object' ? Object.entries(withoutSchema) : []),
    ...errorRows(parsed, sink.config),
    ...(table === undefined ? [] : tableRows(formats, table, sink.config)),
  ]);
  const secretKeys = [...texts.keys()].filter((one) =>
    registry.secret.some((suffix) => one.endsWith(`.converter.${suffix}`)),
  );
  return { texts, secretKeys: new Set(secretKeys) };
}

/** `envelope`: JSON whose records carry their schema. */
type ConverterName = keyof typeof converterClasses | 'envelope';

/** Protobuf of the engine carries no number of a schema, so that no converter of a registry reads it. */
function valueConverter({ value, isWritten, hasSchema }: TopicFormat): ConverterName | undefined {
  if (value === 'json' && hasSchema) return 'envelope';
  return value === 'protobuf' && isWritten ? 'bytes' : value;
}

function keyConverter({ key }: TopicFormat): ConverterName | undefined {
  return key === 'none' ? 'text' : key;
}

function converterRows(
  part: 'key' | 'value',
  name: ConverterName | undefined,
  registry: Rows | undefined,
  given: SinkFacts['config'],
): Rows {
  const prefix = `${part}.converter`;
  // Keys of one converter mean nothing to another
  if (name === undefined || given.has(prefix)) return [];
  const row = [prefix, converterClasses[name === 'envelope' ? 'json' : name]] as const;
  if (name === 'json' || name === 'envelope')
    return [row, [`${prefix}.schemas.enable`, String(name === 'envelope')]];
  if (name !== 'avro' && name !== 'protobuf') return [row];
  return registry === undefined
    ? []
    : [row, ...registry.map(([key, text]) => [`${prefix}.${key}`, text] as const)];
}

/** How converters reach the registry, with variables as they are written; no rows without a registry. */
function registryKeys({ runtime }: Pick<ParsedProject, 'runtime'>): {
  readonly rows: Rows | undefined;
  /** Keys of those that hold a secret in clear. */
  readonly secret: readonly string[];
} {
  const read = (key: string) => {
    const node = runtime === undefined ? undefined : textAt(runtime.node, `schema_registry.${key}`);
    if (node === undefined) return undefined;
    const { value } = node.scalar;
    const isInClear = node.secret === true && !isOnlyReferences(value ?? '');
    return {
      text: node.interpolated === undefined ? withoutVariables(String(value)) : String(value),
      isInClear,
    };
  };
  const [url, user, password] = [read('url'), read('username'), read('password')];
  if (url === undefined) return { rows: undefined, secret: [] };
  const isInClear = url.isInClear ? ['schema.registry.url'] : [];
  const address = ['schema.registry.url', url.text] as const;
  if (user === undefined || password === undefined) return { rows: [address], secret: isInClear };
  const login = 'basic.auth.user.info';
  return {
    rows: [address, ['basic.auth.credentials.source', 'USER_INFO'], [login, `${user.text}:${password.text}`]],
    secret: [...isInClear, ...(password.isInClear ? [login] : [])],
  };
}

const deadLetters = 'errors.deadletterqueue';

/**
 * A record that cannot be read ends the task, which the log of the worker shows, and is read again after a restart. Where the sink
 * names a topic for such records, they go there with their origin in headers, and the task continues.
 */
function errorRows({ defaults }: Pick<ParsedProject, 'defaults'>, given: SinkFacts['config']): Rows {
  const log = ['errors.log.enable', 'true'] as const;
  if ((given.get(`${deadLetters}.topic.name`) ?? '') === '') return [['errors.tolerance', 'none'], log];
  const replicas =
    defaults === undefined ? undefined : numberAt(defaults.node, 'topic.replication_factor')?.value;
  return [
    ['errors.tolerance', 'all'],
    log,
    [`${deadLetters}.context.headers.enable`, 'true'],
    ...(replicas === undefined
      ? []
      : [[`${deadLetters}.topic.replication.factor`, String(replicas)] as const]),
  ];
}

/**
 * How a connector finds the rows that it replaces and deletes. A topic of rows that change has deletions, for which it needs the keys of
 * records; any other topic has them only where the project asks for `upsert`.
 */
function tableRows(
  formats: readonly TopicFormat[],
  { keyMode, keyFields }: NonNullable<SinkNeeds['table']>,
  given: SinkFacts['config'],
): Rows {
  if (formats.length === 0) return [];
  const hasSchema = shared(formats, ({ key }) => key) === 'avro';
  if (formats.some(isChanging)) {
    const rows = [['insert.mode', 'upsert'] as const, ['delete.enabled', 'true'] as const];
    // Keys of a source may have a schema where the project says nothing of them
    const mayHaveSchema = formats.every(({ key }) => key === 'avro' || key === undefined);
    return mayHaveSchema || given.has('key.converter') ? [...rows, [keyMode, 'record_key']] : [];
  }
  if (given.get('insert.mode') !== 'upsert' || given.has(keyMode)) return [];
  if (hasSchema) return [[keyMode, 'record_key']];
  const columns = shared(formats, ({ keyColumns }) => keyColumns.join(',')) ?? '';
  return columns === ''
    ? []
    : [
        [keyMode, 'record_value'],
        [keyFields, withoutVariables(columns)],
      ];
}
