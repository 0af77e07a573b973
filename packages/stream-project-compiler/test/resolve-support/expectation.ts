import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusProject } from '../project-support/corpus.ts';

/** What the corpus expects of graph and kinds. */
export interface ResolvedExpectation {
  /** Absent, with the graph, where the project does not pass the field table. More than one kind where either is right. */
  readonly materialized?: Readonly<Record<string, string | readonly string[]>>;
  readonly edges?: readonly (readonly [string, string])[];
  readonly optional_edges?: readonly (readonly [string, string])[];
}

/** Read from the project's folder. */
export function resolvedExpectation({ folder }: CorpusProject): ResolvedExpectation {
  return JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as ResolvedExpectation;
}
