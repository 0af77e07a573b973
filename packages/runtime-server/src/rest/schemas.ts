// JSON Schemas (2020-12) of the bodies that requests and answers have, for the OpenAPI document.

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const boolean: Schema = { type: 'boolean' };
const config: Schema = {
  type: 'object',
  description: 'Keys and values; secrets are masked.',
  additionalProperties: { type: ['string', 'null'] },
};

function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

/** An object with exactly these fields; names that end in `?` may be absent. */
function object(fields: Readonly<Record<string, Schema>>, description?: string): Schema {
  const names = Object.keys(fields);
  const properties = Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema]);
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(properties),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

function orNull({ type, ...schema }: Schema): Schema {
  return { ...schema, type: [type, 'null'] };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const runState = { enum: ['UNASSIGNED', 'RUNNING', 'PAUSED', 'FAILED', 'RESTARTING', 'STOPPED'] };
const state = {
  state: runState,
  worker_id: { type: 'string', description: '`host:port` of the worker.' },
  'trace?': { type: 'string', description: 'Why it failed; the first line has class and message.' },
  'version?': { type: ['string', 'null'], description: 'Of the connector, with `rest.dialect=4.x`.' },
};
const connection = object({
  task: integer,
  state: text,
  last_message_age_ms: orNull({ type: 'number' }),
  held_up_ms: orNull({
    type: 'number',
    description:
      'For how long nothing is read, because the queue is full. Null while the connection is read.',
  }),
  last_error: orNull(text),
  attempt: orNull(integer),
  next_try_in_ms: orNull({ type: 'number' }),
  log: {
    enum: ['ok', 'throttled', 'away'],
    description:
      'How the log is that the task writes to. `throttled`: it stores everything, as fast as a quota allows. `away`: it cannot be reached, or a part of it cannot.',
  },
});
const offsets = listOf(
  object({
    partition: { type: ['object', 'null'] },
    offset: { type: ['object', 'null'], description: 'Null removes the offset of the partition.' },
  }),
);
const configValue = object({
  name: text,
  value: orNull(text),
  recommended_values: listOf(text),
  errors: listOf(text),
  visible: boolean,
});

/** Schemas by name. */
export const schemas = {
  Error: object({ error_code: { ...integer, description: 'The HTTP status.' }, message: text }),
  ServerInfo: object({
    version: { ...text, description: 'Level of the Connect API.' },
    commit: text,
    platform_cluster_id: text,
    kafka_cluster_id: text,
  }),
  Health: object({
    status: { enum: ['healthy', 'starting', 'unhealthy'] },
    message: text,
    'group?': listOf(object({ text })),
  }),
  Config: config,
  ConfigChange: {
    ...config,
    description: 'Keys and values; numbers and booleans are taken as text. `null` removes a key.',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
  CreateRequest: object({
    name: text,
    config: ref('ConfigChange'),
    'initial_state?': { enum: ['RUNNING', 'PAUSED', 'STOPPED'] },
  }),
  Names: listOf(text),
  Connectors: {
    description: 'Names, or with `expand` an object by name.',
    anyOf: [
      ref('Names'),
      mapOf(
        object({
          'info?': ref('Connector'),
          'status?': ref('Status'),
          'connection?': listOf(connection),
        }),
      ),
    ],
  },
  Connector: object({
    name: text,
    config: ref('Config'),
    tasks: listOf(object({ connector: text, task: integer })),
    type: { enum: ['source', 'sink', 'unknown'] },
  }),
  Status: object({
    name: text,
    connector: object(state),
    tasks: listOf(ref('TaskStatus')),
    type: { enum: ['source', 'sink', 'unknown'] },
    'connection?': listOf(connection),
  }),
  TaskStatus: object({ id: integer, ...state }),
  Tasks: listOf(object({ id: object({ connector: text, task: integer }), config: ref('Config') })),
  TaskConfigs: listOf(ref('Config')),
  TaskConfigsByName: mapOf(ref('Config')),
  Offsets: object({ offsets }),
  Message: object({ message: text }),
  Topics: mapOf(object({ topics: listOf(text) })),
  Metrics: {
    ...mapOf(mapOf({ type: ['number', 'string', 'boolean', 'null'] })),
    description: 'Attributes by name, under their object name.',
  },
  Plugins: listOf(
    object({
      class: text,
      type: { enum: ['sink', 'source', 'converter', 'header_converter', 'transformation', 'predicate'] },
      'version?': text,
    }),
  ),
  ConfigKey: object({
    name: text,
    type: { enum: ['BOOLEAN', 'STRING', 'INT', 'SHORT', 'LONG', 'DOUBLE', 'LIST', 'CLASS', 'PASSWORD'] },
    required: boolean,
    default_value: orNull(text),
    importance: { enum: ['HIGH', 'MEDIUM', 'LOW'] },
    documentation: orNull(text),
    group: orNull(text),
    width: { enum: ['NONE', 'SHORT', 'MEDIUM', 'LONG'] },
    display_name: text,
    dependents: listOf(text),
    'order?': integer,
    'order_in_group?': { ...integer, description: 'In place of `order`, with `rest.dialect=4.x`.' },
  }),
  ConfigKeys: listOf(ref('ConfigKey')),
  Validation: object({
    name: text,
    error_count: integer,
    groups: listOf(text),
    configs: listOf(
      object({ definition: { anyOf: [ref('ConfigKey'), { type: 'null' }] }, value: configValue }),
    ),
    'update?': object({
      effect: { enum: ['create', 'restart', 'reconnect', 'live', 'none'] },
      changed: listOf(object({ name: text, update: { enum: ['restart', 'reconnect', 'live'] } })),
    }),
  }),
  LogLevel: object({ level: text, last_modified: orNull(integer) }),
  Workers: object({ workers: listOf(text) }),
  LogLevels: mapOf(ref('LogLevel')),
  LogLines: object({
    since: { type: 'integer', description: 'When the first line was kept, in milliseconds since 1970.' },
    last: { type: 'integer', description: 'Number of the last line.' },
    lost: { type: 'integer', description: 'Lines after the one asked for that are not kept any more.' },
    lines: listOf({ type: 'object' }),
  }),
  Records: object({
    records: listOf({ type: 'object' }),
    next: { type: 'string', description: 'For `after`.' },
  }),
  LevelRequest: object({ level: { enum: ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] } }),
  OpenApi: { type: 'object' },
} as const satisfies Readonly<Record<string, Schema>>;

/** Name of a schema. */
export type SchemaName = keyof typeof schemas;
