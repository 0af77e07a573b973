import type { RecordMetadata, SourceChangelog } from '@levada/stream-project-schema';
import type { Definition } from '../../parse/definition.ts';
import { isText, type TextNode, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import { map, plain, type SqlType, text, time } from '../../types/sql-type.ts';

/** How the rows of a source's table are in its topic. */
export function sourceChangelog({ node }: Definition<'source'>): SourceChangelog {
  return (textAt(node, 'changelog')?.value ?? 'append') as SourceChangelog;
}

/** The columns of a source's `key`, as they are written. */
export function sourceKey({ node }: Definition<'source'>): readonly TextNode[] {
  const key = placeOf(node, 'key').node;
  if (key?.kind === 'list') return key.items.filter(isText);
  return isText(key) ? [key] : [];
}

/** Metadata of a record as the engine has it. */
interface EngineMetadata {
  /** After `METADATA FROM`; undefined for the record key, which is read by its format. */
  readonly from: string | undefined;
  /** Undefined: the declared one. */
  readonly type: SqlType | undefined;
  /** Only `debezium-json` has it. */
  readonly isOfChange?: true;
}

/** https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/kafka/#available-metadata */
const engineMetadata: { readonly [K in RecordMetadata]: EngineMetadata } = {
  timestamp: { from: 'timestamp', type: time('TIMESTAMP_LTZ', 3, false) },
  headers: {
    from: 'headers',
    type: map(text('VARCHAR', undefined, false), text('VARBINARY', undefined, false), false),
  },
  key: { from: undefined, type: undefined },
  partition: { from: 'partition', type: plain('INT', false) },
  offset: { from: 'offset', type: plain('BIGINT', false) },
  topic: { from: 'topic', type: text('VARCHAR', undefined, false) },
  'source.timestamp': { from: 'value.source.timestamp', type: time('TIMESTAMP_LTZ', 3), isOfChange: true },
  'source.table': { from: 'value.source.table', type: text('VARCHAR'), isOfChange: true },
};

/** The metadata that a column of a source holds; undefined for a column of another kind. */
export function columnMetadata(column: TypedNode): EngineMetadata | undefined {
  const name = textAt(column, 'metadata')?.value;
  return name === undefined ? undefined : engineMetadata[name as RecordMetadata];
}

/** Whether a column is read from the key of the record. */
export function isRecordKey(column: TypedNode): boolean {
  return textAt(column, 'metadata')?.value === 'key';
}

/** Whether the engine computes a column as the time of processing. */
export function isProcessingTimeColumn(column: TypedNode): boolean {
  return placeOf(column, 'proctime').node?.value === true;
}

/** The expression that a column is computed by. */
export function columnExpression(column: TypedNode): TextNode | undefined {
  return textAt(column, 'expression');
}
