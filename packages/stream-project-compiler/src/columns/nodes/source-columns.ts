import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { type TextNode, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import { isReplaced, shownText } from '../../resolve/place-in-file.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { type EventTime, type NodeColumn, type NodeColumns, nodeColumns } from './node-columns.ts';

/**
 * The columns that a source declares. The list is taken for all of them when each has a type: a list without types says
 * something about some columns, such as how sensitive they are.
 */
export function sourceColumns(source: Definition<'source'>, eventTime: EventTime | undefined): NodeColumns {
  const list = source.node.entries.get('columns');
  const items = list?.node.kind === 'list' ? list.node.items : [];
  const columns = items.flatMap((item) => declared(item, source, eventTime) ?? []);
  const { file, head, name = '' } = source;
  const untyped = items.find((item) => placeOf(item, 'type').node === undefined && !isProcessingTime(item));
  if (items.length > 0 && columns.length === items.length && untyped === undefined)
    return nodeColumns({ columns });
  const reason =
    items.length === 0
      ? `source ${quote(name)} lists no columns`
      : `source ${quote(name)} does not say the type of each column, so it may have others`;
  const range = rangeAt(file, list?.keySpan ?? head);
  return nodeColumns({ columns, incomplete: { reason, range } });
}

function declared(
  item: TypedNode,
  { file }: Definition<'source'>,
  eventTime: EventTime | undefined,
): NodeColumn | undefined {
  const name = textAt(item, 'name');
  if (name === undefined) return undefined;
  const processing = isProcessingTime(item);
  return {
    name: name.value,
    ...writtenAs(name),
    type: processing ? processingTime : typeAt(item),
    time: processing ? 'processing' : eventTime?.column === name.value ? 'event' : undefined,
    ...(processing ? {} : declaredNulls(item)),
    origins: [],
    range: () => rangeAt(file, name.span),
  };
}

/** A type that ends in `NULL` says that there are nulls, one without says nothing of them. */
function declaredNulls(item: TypedNode): Pick<NodeColumn, 'nullsBy'> {
  const written = textAt(item, 'type')?.value ?? '';
  if (!/(?<!\bNOT)\s+NULL\s*$/i.test(written)) return {};
  return { nullsBy: { kind: 'declaration', what: written } };
}

function writtenAs(name: TextNode): Pick<NodeColumn, 'written'> {
  return isReplaced(name) ? { written: shownText(name, name.value) } : {};
}

function isProcessingTime(item: TypedNode): boolean {
  return placeOf(item, 'proctime').node?.value === true;
}

/** The type of `PROCTIME()`. */
const processingTime: SqlType = { name: 'TIMESTAMP_LTZ', precision: 3, nullable: false };

function typeAt(item: TypedNode): SqlType | undefined {
  const type = textAt(item, 'type');
  return type === undefined ? undefined : declaredType(type.value);
}
