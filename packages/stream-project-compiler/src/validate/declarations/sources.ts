import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Definition } from '../../parse/definition.ts';
import { objectAt, textAt } from '../../parse/known-value.ts';
import { nodeId } from '../../resolve/node-id.ts';
import { type ColumnHint, columnHints } from '../column-lookup.ts';
import { at, finding, named, rangeBelow } from '../finding.ts';
import { checkOrder } from '../number-order.ts';
import type { Rule } from '../rule.ts';
import { checkType } from './column-type.ts';
import { declarationCodes } from './declaration-codes.ts';
import {
  checkColumnNames,
  checkProcessingTime,
  declaredColumns,
  isProcessingTime,
} from './declared-columns.ts';
import { checkEventTime } from './event-time.ts';

/** Checks the declarations of each source. */
export const checkSources: Rule = ({ project, memory }) => {
  const hint = columnHints();
  return [...project.resolved.sources].flatMap(([name, source]) => {
    const columns = project.columns.get(nodeId('source', name));
    const check = () => checkSource(source, columns, hint);
    return memory.check('declared', { object: source, needs: [columns] }, check);
  });
};

function checkSource(
  source: Definition<'source'>,
  columns: NodeColumns | undefined,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const declared = declaredColumns(source, ['columns']);
  const freshness = objectAt(source.node, 'freshness');
  return [
    ...checkColumnNames(source, declared, declarationCodes['duplicate-column']),
    ...declared.flatMap((column) =>
      isProcessingTime(column)
        ? checkProcessingTime(source, column)
        : checkType(source, column, columns?.byName.get(column.name.value)?.type),
    ),
    ...checkEventTime({ definition: source, section: ['event_time'], columns, hint }),
    ...checkSchema(source),
    ...(freshness === undefined
      ? []
      : checkOrder({
          definition: source,
          node: freshness,
          path: ['freshness'],
          low: 'warn_after_seconds',
          high: 'max_lag_seconds',
          because: 'so the error comes before the warning',
          entry: declarationCodes['freshness-order'],
        })),
  ];
}

/** Reports a schema that is given twice, and one that is not written in JSON though its format is. */
function checkSchema(source: Definition<'source'>): readonly Diagnostic[] {
  const schema = objectAt(source.node, 'schema');
  const definition = schema === undefined ? undefined : textAt(schema, 'definition');
  if (schema === undefined || definition === undefined || definition.value === '') return [];
  const found: Diagnostic[] = [];
  if (textAt(schema, 'registry') !== undefined) {
    const message = `${named(source)}: "schema" has both "registry" and "definition", expected one of them`;
    const related = [
      { message: 'registry set here', range: rangeBelow(source, ['schema', 'registry'], 'key') },
    ];
    const path = ['schema', 'definition'];
    found.push(finding(declarationCodes['schema-twice'], at(source, path, 'key'), { message, related }));
  }
  const format = textAt(schema, 'format')?.value;
  if ((format === 'avro' || format === 'json') && !isSchema(definition.value)) {
    const message = `${named(source)}: "schema.definition" is not valid JSON, which the format "${format}" requires`;
    const hint = /^\s*(?:syntax\s*=|message\s|package\s)/.test(definition.value)
      ? 'write "format: protobuf"'
      : undefined;
    found.push(
      finding(declarationCodes['schema-definition'], at(source, ['schema', 'definition'], 'key'), {
        message,
        hint,
      }),
    );
  }
  return found;
}

function isSchema(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The message of the parser shows a part of the text, which may come from a variable
    return false;
  }
}
