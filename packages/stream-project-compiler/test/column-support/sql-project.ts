import type { NodeColumns } from '../../src/columns/nodes/node-columns.ts';
import type { Diagnostic, InferredProject, NodeId } from '../../src/index.ts';
import { compileFiles } from '../resolve-support/compile-files.ts';

/** A table of a test: names and types of its columns, and the one of event time with its delay. */
export interface TestTable {
  readonly columns?: readonly (readonly [name: string, type: string])[];
  readonly watermark?: readonly [column: string, delayMs: number] | null;
}

/** What was found of one query. */
export interface SqlProject {
  readonly columns: NodeColumns | undefined;
  readonly inferred: InferredProject;
  readonly diagnostics: readonly Diagnostic[];
  /** As people see them. */
  readonly text: string;
}

/** Where a test's tables are: the macro and the name. */
const macro = /^(source|ref):(.*)$/;

/** Infers one query over tables that are described. Those of `ref` are sources that a model of that name hands on. */
export async function sqlProject(
  sql: string,
  tables: Readonly<Record<string, TestTable>> = {},
): Promise<SqlProject> {
  const sources = Object.entries(tables).map(([key, table]) => sourceOf(key, table));
  const models = Object.keys(tables).flatMap((key) => {
    const [, kind, name = ''] = macro.exec(key) ?? [];
    return kind === 'ref' ? [{ name, sql: `SELECT * FROM {{ source("of_${name}") }}` }] : [];
  });
  const files = {
    'models/m.yml': JSON.stringify({ sources, models: [...models, { name: 'm', sql }] }, undefined, 2),
  };
  // Whether rows that change have a key is no question of columns
  const { inferred, diagnostics, text } = await compileFiles(files, {}, { LV4004: 'off' });
  const id: NodeId = 'model:m';
  return { columns: inferred.columns.get(id), inferred, diagnostics, text };
}

/** A table as the project file describes it. */
export function sourceOf(key: string, { columns, watermark }: TestTable): object {
  const [, kind, name = key] = macro.exec(key) ?? [];
  const listed = columns?.map(([column, type]) => ({
    name: column,
    ...(type === 'PROCTIME' ? { proctime: true } : { type }),
  }));
  return {
    name: kind === 'ref' ? `of_${name}` : name,
    topic: 't.v1',
    ...(listed === undefined ? {} : { columns: listed }),
    ...(watermark === undefined || watermark === null
      ? {}
      : {
          event_time: {
            column: watermark[0],
            watermark: { max_out_of_orderness_ms: watermark[1] },
          },
        }),
  };
}
