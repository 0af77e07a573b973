import type { Definition } from '../../parse/definition.ts';
import { isText } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import { columnType, createTable, type JobTable, needsOf, tableKeyFormat } from '../create-table.ts';
import type { EngineNeeds, NullKeys } from '../job.ts';
import type { ModelPlan } from '../model-job.ts';
import type { OutputColumn } from '../output-columns.ts';
import { identifier, identifiers, option, withOptions } from '../text/sql-words.ts';
import type { PlatformOptions } from '../topic-options.ts';

/**
 * The columns of a key that may be null, and the topic for such rows. Rows that change are found by their key, which then has no nulls;
 * appended ones may have a null in it, but a compacted topic takes no record without a key. Undefined where no key can be null, or a null in it does no harm.
 */
export function nullKeyRows({
  model: { definition },
  table,
  outputs,
}: Pick<ModelPlan, 'model' | 'table' | 'outputs'>): Omit<NullKeys, 'table'> | undefined {
  const { rows, key, topic } = table;
  if (rows === 'changelog') return undefined;
  if (rows === 'append' && !(tableKeyFormat(table) === 'text' && isCompacted(definition))) return undefined;
  const columns = outputs.flatMap((column) =>
    key.includes(column.name) && column.type.nullable && column.noNulls !== true ? column.name : [],
  );
  if (columns.length === 0) return undefined;
  return { columns, topic: rows === 'append' ? `${topic}.null-keys` : undefined };
}

/** Whether a model asks for a compacted topic, or may. */
function isCompacted({ node }: Definition<'model'>): boolean {
  const config = placeOf(node, 'advanced.topic.config').node;
  if (config?.kind !== 'object') return false;
  const policy = config.entries.get('cleanup.policy')?.node;
  if (policy === undefined) return false;
  return !isText(policy) || policy.interpolated !== undefined || policy.value.includes('compact');
}

interface NullKeyTable {
  readonly output: JobTable;
  readonly outputs: readonly OutputColumn[];
  readonly platform: PlatformOptions;
}

/** The columns of rows with null keys: all, so that each change of one counts, but for a key that is a column of its own. */
function keptColumns({ output, outputs }: Omit<NullKeyTable, 'platform'>): readonly OutputColumn[] {
  return output.format === 'raw' ? outputs.filter(({ name }) => !output.key.includes(name)) : outputs;
}

/** The table that takes rows with null keys, and what it needs in the engine. */
export function nullKeyTable(
  { table, topic }: NullKeys,
  { output, outputs, platform }: NullKeyTable,
): { readonly text: string; readonly needs: EngineNeeds } {
  const columns = keptColumns({ output, outputs });
  if (topic === undefined) {
    const connector = 'blackhole';
    const lines = columns.map(({ name, type }) => `${identifier(name)} ${columnType(type)}`);
    const options = withOptions([option('connector', connector)]);
    const text = `CREATE TEMPORARY TABLE ${identifier(table)} (\n  ${lines.join(',\n  ')}\n) ${options}`;
    return { text, needs: { connectors: [connector], formats: [] } };
  }
  const format = output.format === 'raw' ? 'raw' : 'json';
  const rows: JobTable = { ...output, name: table, topic, format, columns, key: [], written: undefined };
  return { text: createTable(rows, platform), needs: needsOf([rows]) };
}

interface ViewFacts extends Omit<NullKeyTable, 'platform'> {
  readonly view: string;
  /** The query that writes all rows of the view to the topic. */
  readonly all: string;
}

/** Writes the rows of a view: those with a whole key to the topic, and the others to the table of null keys. */
export function nullKeyInserts(
  { columns, table }: NullKeys,
  { output, outputs, view, all }: ViewFacts,
): { readonly whole: string; readonly others: string } {
  const names = keptColumns({ output, outputs }).map(({ name }) => name);
  const tests = (test: string, by: string) => columns.map((name) => `${identifier(name)} ${test}`).join(by);
  return {
    whole: `${all}\nWHERE ${tests('IS NOT NULL', ' AND ')}`,
    others: `INSERT INTO ${identifier(table)}\nSELECT ${identifiers(names)}\nFROM ${identifier(view)}\nWHERE ${tests('IS NULL', ' OR ')}`,
  };
}
