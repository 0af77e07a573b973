import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectArtifacts } from '../../src/index.ts';
import type { CorpusProject } from '../project-support/corpus.ts';

/** The artifacts that the corpus gives of a valid project, each list in order of names; undefined where it gives none. */
export function expectedArtifacts({ folder, valid }: CorpusProject): ProjectArtifacts | undefined {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
    readonly artifacts?: ProjectArtifacts;
  };
  if (!valid || expected.artifacts === undefined) return undefined;
  const { topics, connectors, virtual_topics } = expected.artifacts;
  return { topics: sorted(topics), connectors: sorted(connectors), virtual_topics: sorted(virtual_topics) };
}

function sorted<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
