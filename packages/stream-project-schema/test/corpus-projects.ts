import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** One project of the corpus, as far as the field table goes. */
export interface CorpusProject {
  readonly id: string;
  readonly class: string;
  /** What the YAML says, without replacing variables. */
  readonly value: unknown;
  readonly diagnostics: readonly CorpusDiagnostic[];
}

/** What must be reported; a kind of `alt` is as good. */
export interface CorpusDiagnostic {
  readonly kind: string;
  readonly alt?: readonly string[];
  readonly path?: string;
}

const folder = new URL('corpus/projects/', import.meta.url);

/** All projects, by id. */
export const corpusProjects: readonly CorpusProject[] = readdirSync(folder)
  .sort()
  .map((id) => {
    const expected = JSON.parse(read(`${id}/expected.json`)) as Omit<CorpusProject, 'id' | 'value'>;
    return { id, value: parse(read(`${id}/stream_project.yml`)) as unknown, ...expected };
  });

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}
