import type { KeyFormat } from '@levada/stream-project-schema';
import { isAppend } from '../changelog/changes.ts';
import { keyFormatOf } from '../columns/nodes/key-format.ts';
import type { NodeColumn, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { NullCause } from '../columns/relations/nulls.ts';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { rangeAt } from '../text/source-file.ts';
import { familyOf } from '../types/type-families.ts';
import { inferCodes } from './infer-codes.ts';
import type { NodeChanges } from './node-inference.ts';

interface NullKeyFacts {
  readonly changes: NodeChanges;
  readonly columns: NodeColumns;
}

/** Reports the columns of a key in which the SQL, a mask or a declaration makes nulls. */
export function checkNullKey(
  model: ResolvedModel,
  { changes, columns: { columns } }: NullKeyFacts,
): readonly Diagnostic[] {
  const { node, file, head, path, object } = model.definition;
  // A virtual topic is not written
  if (model.sql === undefined || placeOf(node, 'advanced.gateway').node !== undefined) return [];
  const changing = !isAppend(changes.query);
  const named = textAt(node, 'key');
  const key = changing
    ? (changes.topic.keys[0] ?? []).flatMap((at) => columns[at] ?? [])
    : columns.filter(({ name }) => name === named?.value);
  const said = textAt(node, 'schema.key_format')?.value as KeyFormat | undefined;
  const types = key.map(({ type }) => type);
  // Any other key of an appended row may have a null in it
  if (!changing && keyFormatOf(types, said) !== 'text') return [];
  return key.flatMap((column) => {
    const { type, nulls } = column;
    if (type?.nullable === false || nulls?.kind !== 'made') return [];
    const of = `model ${quote(shownText(textAt(node, 'name'), model.name))}`;
    const name = quote(column.written ?? column.name);
    const then = changing
      ? 'rows with such a key are not written to its topic'
      : 'records of such rows have no key';
    return diagnose(inferCodes['null-in-key'], {
      message: `key ${name} of ${of} can be null, ${causeWords(nulls.by)}: ${then}`,
      hint: nullHint(column, nulls.by, isGrouped(model)),
      range: named === undefined ? column.range() : rangeAt(file, node.entries.get('key')?.node.span ?? head),
      path: `${path}.${named === undefined ? 'sql' : 'key'}`,
      object,
    });
  });
}

function causeWords({ kind, what }: NullCause): string {
  switch (kind) {
    case 'join':
      return `where ${what} finds no row for it`;
    case 'aggregate':
      return `where ${what} has no values`;
    case 'grouping':
      return `where ${what} leaves it out`;
    case 'declaration':
      return 'as its source declares it';
    case 'mask':
      return 'as its mask makes it';
  }
}

/** Values that stand for no value, by kind of type. */
const substitutes: ReadonlyMap<string, string> = new Map([
  ['text', "'none'"],
  ['number', '-1'],
]);

/** A column without the nulls that a join or an aggregate makes in it: `COALESCE(..., 'none') AS segment`. */
export function wholeColumn({ name, written, type }: NodeColumn): string {
  const value = type === undefined ? undefined : substitutes.get(familyOf(type));
  const as = written === undefined ? ` AS ${name}` : '';
  return `COALESCE(...${value === undefined ? '' : `, ${value}`})${as}`;
}

/** Whether the query groups rows: a column of GROUP BY stays a key only while SELECT and GROUP BY have the same expression. */
function isGrouped({ sql }: ResolvedModel): boolean {
  const body = sql?.parsed.query?.body;
  return body?.kind === 'select' && body.groupBy !== undefined;
}

function nullHint(column: NodeColumn, { kind, what }: NullCause, grouped: boolean): string {
  if (kind === 'mask') return 'choose another mask, such as "method: hash", or another key';
  const place = grouped && kind !== 'aggregate' && kind !== 'grouping' ? ', and the same in GROUP BY' : '';
  const replaced = `write ${wholeColumn(column)}${place}, with a value that no row has`;
  if (kind === 'grouping') return replaced;
  const clause = kind === 'aggregate' ? `HAVING ${what}(...)` : 'WHERE ...';
  return `${replaced}, or leave such rows out with ${clause} IS NOT NULL`;
}
