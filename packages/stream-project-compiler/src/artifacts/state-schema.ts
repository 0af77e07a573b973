import { hash, listOf, object, type SchemaPart, text, texts } from './schema-parts.ts';

const integer: SchemaPart = { type: 'integer' };
const isTrue: SchemaPart = { const: true };
const rows: SchemaPart = { enum: ['append', 'upsert', 'changelog'] };
const columns = listOf(object({ name: text, type: text }));
const aggregates = listOf(object({ call: text, arguments: texts, type: text }));
const side = object({ from: text, 'filtered?': isTrue, keys: columns, columns });

const facts = {
  name: text,
  keeps: { enum: ['window', 'interval', 'ttl', 'forever'] },
  'ttl_ms?': integer,
  fingerprint: hash,
};
const operator = { ...facts, inputs: listOf(object({ from: text, 'filtered?': isTrue })) };

const kindOf = (kinds: readonly string[]): SchemaPart =>
  kinds.length === 1 ? { const: kinds[0] } : { enum: kinds };

const part = (kinds: readonly string[], keys: Readonly<Record<string, SchemaPart>>): SchemaPart =>
  object({ kind: kindOf(kinds), ...keys });

/** The JSON Schema of a part of a model that keeps state. */
export const statePartSchema: SchemaPart = {
  anyOf: [
    part(['source'], { ...facts, node: text, topic: text, rows, key: texts, 'time?': text }),
    part(['normalize'], { ...operator, keys: columns, columns }),
    part(['window'], {
      ...operator,
      window: text,
      'size_ms?': integer,
      'step_ms?': integer,
      'offset_ms?': integer,
      'time?': text,
      keys: columns,
      aggregates,
    }),
    part(['group'], { ...operator, keys: columns, aggregates }),
    part(['join', 'interval_join', 'window_join', 'temporal_join'], {
      ...facts,
      join: text,
      left: side,
      right: side,
      conditions: texts,
    }),
    part(['rank'], { ...operator, keys: columns, order: texts, rows: text, columns }),
    part(['over'], { ...operator, keys: columns, order: texts, 'frame?': text, aggregates }),
    part(['match'], { ...operator, keys: columns, order: texts, pattern: text, columns }),
    part(['set'], { ...operator, operation: text, columns }),
    part(['sort'], { ...operator, order: texts, 'rows?': text, columns }),
    part(['function'], { ...operator, call: text, keys: columns }),
    part(['sink'], {
      ...operator,
      rows,
      materialized: { type: 'boolean' },
      keys: columns,
      columns,
      null_keys: texts,
    }),
  ],
};
