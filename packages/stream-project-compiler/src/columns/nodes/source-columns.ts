import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { type TextNode, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import { nodeId } from '../../resolve/node-id.ts';
import { isReplaced, shownText } from '../../resolve/place-in-file.ts';
import { rangeAt } from '../../text/source-file.ts';
import { type SqlType, withNullable } from '../../types/sql-type.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { nodeRelation, type Relation } from '../relations/relation.ts';
import { computedColumn } from './computed-columns.ts';
import { type EventTime, type NodeColumn, type NodeColumns, nodeColumns } from './node-columns.ts';
import {
  columnExpression,
  columnMetadata,
  isProcessingTimeColumn,
  sourceChangelog,
  sourceKey,
} from './source-form.ts';

/** The columns of a source, and what is wrong with the expressions of those that are computed. */
interface SourceColumns {
  readonly columns: NodeColumns;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The columns that a source declares. The list is taken for all of them when each has a type: a list without types says
 * something about some columns, such as how sensitive they are.
 */
export function sourceColumns(source: Definition<'source'>, eventTime: EventTime | undefined): SourceColumns {
  const list = source.node.entries.get('columns');
  const items = list?.node.kind === 'list' ? list.node.items : [];
  const key = sourceChangelog(source) === 'append' ? [] : sourceKey(source).map(({ value }) => value);
  const facts = { source, eventTime, key: new Set(key) };
  const plain = items.flatMap((item) =>
    columnExpression(item) === undefined ? (declared(item, facts) ?? []) : [],
  );
  const named = items.filter((item) => textAt(item, 'name') !== undefined);
  const incomplete = whyIncomplete(source, named.length < items.length);
  const computed = computedColumns(items, {
    ...facts,
    plain: nodeColumns({ columns: plain, ...incomplete }),
  });
  const columns = items.flatMap((item) => computed.columns.get(item) ?? declared(item, facts) ?? []);
  return { columns: nodeColumns({ columns, ...incomplete }), diagnostics: computed.diagnostics };
}

interface ColumnFacts {
  readonly source: Definition<'source'>;
  readonly eventTime: EventTime | undefined;
  /** Columns that are never null, since they are the primary key of a table. */
  readonly key: ReadonlySet<string>;
}

function whyIncomplete(
  { node, file, head, name = '' }: Definition<'source'>,
  lacksNames: boolean,
): Pick<NodeColumns, 'incomplete'> {
  const list = node.entries.get('columns');
  const items = list?.node.kind === 'list' ? list.node.items : [];
  const hasType = (item: TypedNode) =>
    placeOf(item, 'type').node !== undefined ||
    isProcessingTimeColumn(item) ||
    columnExpression(item) !== undefined ||
    columnMetadata(item)?.type !== undefined;
  if (items.length > 0 && !lacksNames && items.every(hasType)) return {};
  const reason =
    items.length === 0
      ? `source ${quote(name)} lists no columns`
      : `source ${quote(name)} does not say the type of each column, so it may have others`;
  return { incomplete: { reason, range: rangeAt(file, list?.keySpan ?? head) } };
}

/** Columns with an expression, by their declarations. */
function computedColumns(
  items: readonly TypedNode[],
  { source, eventTime, plain }: ColumnFacts & { readonly plain: NodeColumns },
): { readonly columns: ReadonlyMap<TypedNode, NodeColumn>; readonly diagnostics: readonly Diagnostic[] } {
  const columns = new Map<TypedNode, NodeColumn>();
  const diagnostics: Diagnostic[] = [];
  let relation: Relation | undefined;
  for (const [index, item] of items.entries()) {
    const [name, leaf] = [textAt(item, 'name'), columnExpression(item)];
    if (name === undefined || leaf === undefined) continue;
    relation ??= nodeRelation(nodeId('source', source.name ?? ''), plain);
    const path = `${source.path}.columns[${index}].expression`;
    const found = computedColumn(source, { name, leaf, path, relation });
    diagnostics.push(...found.diagnostics);
    const { type, time, origins = [] } = found.column ?? {};
    columns.set(item, {
      ...namedColumn(name, source),
      type,
      time: time === 'processing' ? time : eventTime?.column === name.value ? 'event' : undefined,
      origins,
    });
  }
  return { columns, diagnostics };
}

function declared(item: TypedNode, { source, eventTime, key }: ColumnFacts): NodeColumn | undefined {
  const name = textAt(item, 'name');
  if (name === undefined) return undefined;
  const processing = isProcessingTimeColumn(item);
  const type = processing ? processingTime : (typeAt(item) ?? columnMetadata(item)?.type);
  return {
    ...namedColumn(name, source),
    type: key.has(name.value) ? withNullable(type, false) : type,
    time: processing ? 'processing' : eventTime?.column === name.value ? 'event' : undefined,
    ...(processing ? {} : declaredNulls(item)),
    origins: [],
  };
}

/** A type that ends in `NULL` says that there are nulls, one without says nothing of them. */
function declaredNulls(item: TypedNode): Pick<NodeColumn, 'nulls'> {
  const written = textAt(item, 'type')?.value ?? '';
  if (!/(?<!\bNOT)\s+NULL\s*$/i.test(written)) return {};
  return { nulls: { kind: 'made', by: { kind: 'declaration', what: written } } };
}

function namedColumn(
  name: TextNode,
  { file }: Definition<'source'>,
): Pick<NodeColumn, 'name' | 'written' | 'range'> {
  const written = isReplaced(name) ? { written: shownText(name, name.value) } : {};
  return { name: name.value, ...written, range: () => rangeAt(file, name.span) };
}

/** The type of `PROCTIME()`. */
const processingTime: SqlType = { name: 'TIMESTAMP_LTZ', precision: 3, nullable: false };

function typeAt(item: TypedNode): SqlType | undefined {
  const type = textAt(item, 'type');
  return type === undefined ? undefined : declaredType(type.value);
}
