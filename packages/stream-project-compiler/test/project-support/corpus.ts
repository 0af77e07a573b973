import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A project of the corpus, and what is expected of it (packages/stream-project-schema/test/corpus/README.md). */
export interface CorpusProject {
  readonly id: string;
  readonly folder: string;
  readonly class: 'valid' | 'structure' | 'references' | 'rules' | 'runtime' | 'variables';
  readonly env?: Readonly<Record<string, string>>;
  readonly valid: boolean;
  readonly may?: readonly string[];
  readonly diagnostics: readonly CorpusDiagnostic[];
}

export interface CorpusDiagnostic {
  readonly kind: string;
  readonly alt?: readonly string[];
  readonly severity: string;
  readonly object: string;
  readonly path?: string;
  /** The rule that is broken: `models.require_tests`. */
  readonly rule?: string;
  /** The unknown name. */
  readonly name?: string;
}

const root = new URL('../../../stream-project-schema/test/corpus/projects/', import.meta.url);

/** All projects, by id. */
export const corpusProjects: readonly CorpusProject[] = readdirSync(root)
  .sort()
  .map((id) => {
    const expected = JSON.parse(readFileSync(new URL(`${id}/expected.json`, root), 'utf8')) as Omit<
      CorpusProject,
      'id' | 'folder'
    >;
    return { ...expected, id, folder: fileURLToPath(new URL(`${id}/`, root)) };
  });
