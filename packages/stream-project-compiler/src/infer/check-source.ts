import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import {
  columnExpression,
  columnMetadata,
  isProcessingTimeColumn,
  isRecordKey,
  sourceChangelog,
  sourceKey,
} from '../columns/nodes/source-form.ts';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { listAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import { rangeAt } from '../text/source-file.ts';
import { printType } from '../types/print-type.ts';
import { familyOf } from '../types/type-families.ts';
import { declaredType } from '../types/type-of-data-type.ts';
import { inferCodes } from './infer-codes.ts';

/** A message about a source, and where in it the mistake is. */
interface Says {
  readonly entry: CatalogueEntry;
  /** Below the source. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** Reports a source whose records cannot be read as it says. */
export function checkSource(source: Definition<'source'>, columns: NodeColumns): readonly Diagnostic[] {
  const items = listAt(source.node, 'columns')?.items ?? [];
  return [
    ...checkKeyColumns(source, items, columns),
    ...checkMetadata(source, items),
    ...checkFormat(source),
  ].map(({ entry, path, message, hint }) => {
    const { span, keySpan } = placeOf(source.node, path);
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    return diagnose(entry, {
      message: `source ${quote(shownText(textAt(source.node, 'name'), source.name ?? ''))}${message}`,
      hint,
      range: rangeAt(source.file, path.length === 1 && path[0] === 'changelog' ? (keySpan ?? span) : span),
      path: `${source.path}${steps}`,
      object: source.object,
    });
  });
}

function checkKeyColumns(
  source: Definition<'source'>,
  items: readonly TypedNode[],
  { byName, incomplete }: NodeColumns,
): readonly Says[] {
  const entry = inferCodes['source-key'];
  const changelog = sourceChangelog(source);
  const key = sourceKey(source);
  const isList = placeOf(source.node, 'key').node?.kind === 'list';
  if (key.length === 0 && changelog === 'upsert') {
    const message = ' has the latest row of each key, but no "key"';
    return [{ entry, path: ['changelog'], message, hint: 'name the columns of its key in "key"' }];
  }
  const itemOf = (name: string) => items.find((item) => textAt(item, 'name')?.value === name);
  const found = key.flatMap((name, index): Says[] => {
    const path = isList ? ['key', index] : ['key'];
    const shown = quote(shownText(name, name.value));
    if (byName.get(name.value) === undefined) {
      if (incomplete !== undefined && changelog === 'append') return [];
      return [
        { entry, path, message: `: key column ${shown} is not declared`, hint: 'declare it in "columns"' },
      ];
    }
    const item = itemOf(name.value);
    if (item === undefined || (!isProcessingTimeColumn(item) && columnExpression(item) === undefined)) {
      return [];
    }
    const message = `: key column ${shown} is computed when a record is read`;
    return [{ entry, path, message, hint: 'name columns that are part of the record' }];
  });
  if (changelog !== 'upsert' || !items.some(isRecordKey)) return found;
  const names = new Set(key.map(({ value }) => value));
  const odd = items.findIndex((item) => isRecordKey(item) !== names.has(textAt(item, 'name')?.value ?? ''));
  if (odd < 0) return found;
  const message = ': the columns of "key" and those with "metadata: key" differ';
  const hint = 'write "metadata: key" at every column of "key" and at no other, or at none of them';
  return [...found, { entry, path: ['columns', odd, 'name'], message, hint }];
}

function checkMetadata(source: Definition<'source'>, items: readonly TypedNode[]): readonly Says[] {
  const entry = inferCodes['record-metadata'];
  const isDebezium = sourceChangelog(source) === 'debezium';
  const isJson = (textAt(source.node, 'schema.format')?.value ?? 'json') === 'json';
  return items.flatMap((item, index): Says[] => {
    const [name, metadata] = [textAt(item, 'metadata'), columnMetadata(item)];
    if (name === undefined || metadata === undefined) return [];
    const path = ['columns', index, 'metadata'];
    const isFirst = items.findIndex((one) => columnMetadata(one)?.from === metadata.from) === index;
    if (!isFirst && !isRecordKey(item)) {
      const message = `: metadata ${quote(name.value)} is that of an earlier column`;
      const hint = 'remove one of them, and write `AS` in the SQL of a model for another name';
      return [{ entry, path, message, hint }];
    }
    if (metadata.isOfChange === true && !(isDebezium && isJson)) {
      const message = `: records have ${quote(name.value)} only in the envelope of Debezium in JSON`;
      return [{ entry, path, message, hint: 'use "timestamp", or "changelog: debezium"' }];
    }
    if (isDebezium && isRecordKey(item)) {
      const hint = 'remove "metadata": the rows of Debezium hold the columns of their key';
      return [{ entry, path, message: ': its rows are not read from the keys of records', hint }];
    }
    if (isDebezium && sourceKey(source).length === 0) {
      const message =
        ' has changes without a "key", and a change that withdraws a row has other metadata than the row';
      return [{ entry, path, message, hint: 'name the primary key of the table in "key"' }];
    }
    const written = textAt(item, 'type');
    const type = written === undefined ? undefined : declaredType(written.value);
    if (type === undefined || metadata.type === undefined) return [];
    const isTimes = familyOf(type) === 'timestamp' && familyOf(metadata.type) === 'timestamp';
    if (type.name === metadata.type.name || isTimes) return [];
    const message = `: metadata ${quote(name.value)} has type ${printType(metadata.type)}, and not ${printType(type)}`;
    return [
      { entry, path: ['columns', index, 'type'], message, hint: 'remove "type", or convert it in SQL' },
    ];
  });
}

function checkFormat(source: Definition<'source'>): readonly Says[] {
  const entry = inferCodes['source-format'];
  const isDebezium = sourceChangelog(source) === 'debezium';
  const format = textAt(source.node, 'schema.format')?.value ?? 'json';
  const found: Says[] = [];
  if (isDebezium && format === 'protobuf') {
    const message = ': the engine reads the envelope of Debezium in JSON and in Avro, not in Protobuf';
    found.push({ entry, path: ['schema', 'format'], message, hint: 'let Debezium write "json" or "avro"' });
  }
  if (placeOf(source.node, 'schema.embedded').node?.value === true && !(isDebezium && format === 'json')) {
    const message =
      ': the engine reads records that carry their schema only with the envelope of Debezium in JSON';
    const hint = 'set "schemas.enable=false" for the converter that writes them, and remove "embedded"';
    found.push({ entry, path: ['schema', 'embedded'], message, hint });
  }
  if (textAt(source.node, 'schema.message_class') !== undefined && format !== 'protobuf') {
    const message = `: "message_class" is a class of Protobuf, but the format is ${quote(format)}`;
    found.push({ entry, path: ['schema', 'message_class'], message, hint: 'write "format: protobuf"' });
  }
  return found;
}
