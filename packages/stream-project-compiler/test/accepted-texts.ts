import { jsonRows } from './rows.ts';

const divergences = new Set(
  jsonRows<{ sql: string }>('engine-syntax/divergences.jsonl').map(({ sql }) => sql),
);

/** Queries that the engine takes: those its parser has seen, and the corpus with its macros. */
export const acceptedTexts: readonly string[] = [
  ...jsonRows<{ sql: string; engine: string }>('engine-syntax/texts.jsonl')
    .filter(({ sql, engine }) => engine === 'accepts' && !divergences.has(sql))
    .map(({ sql }) => sql),
  ...jsonRows<{ sql: string; expect: { engine_rejects?: string } }>('corpus/sql.jsonl')
    .filter((row) => row.expect.engine_rejects !== 'syntax')
    .map(({ sql }) => sql),
];
