import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFile, ProjectArtifacts } from '../../src/index.ts';
import type { CorpusProject } from '../project-support/corpus.ts';

/** A job as the corpus has it. */
export interface ExpectedJob {
  readonly model: string;
  readonly reads: readonly string[];
  readonly writes: string;
  readonly parallelism?: number;
  readonly checkpoint_interval_ms?: number;
  readonly state_ttl_ms?: number;
  /** Column and delay by topic. */
  readonly watermarks?: Readonly<Record<string, readonly [string, number]>>;
  /** Of a topic model, which may be no job. */
  readonly optional?: boolean;
}

/** Artifacts that the corpus expects. */
export type ExpectedArtifacts = Omit<
  ProjectArtifacts,
  'jobs' | 'tests' | 'schemas' | 'order' | 'variables'
> & {
  readonly jobs: readonly ExpectedJob[];
};

/** The artifacts that the corpus gives of a valid project, each list in order of names; undefined where it gives none. */
export function expectedArtifacts({ folder, valid }: CorpusProject): ExpectedArtifacts | undefined {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
    readonly artifacts?: ExpectedArtifacts;
  };
  if (!valid || expected.artifacts === undefined) return undefined;
  const { topics, connectors, virtual_topics, jobs } = expected.artifacts;
  return {
    topics: sorted(topics),
    connectors: sorted(connectors),
    virtual_topics: sorted(virtual_topics),
    jobs,
  };
}

/** A model of compiled jobs in the words of the corpus: watermarks of the topics that it gives them for, since models hand on more. */
export function asExpected(
  jobs: readonly JobFile[],
  { model, optional, watermarks }: ExpectedJob,
): ExpectedJob | undefined {
  const job = jobs.find(({ models }) => models.some((one) => one.model === model));
  const found = job?.models.find((one) => one.model === model);
  if (job === undefined || found === undefined) return undefined;
  const topics = found.reads.map(({ topic }) => topic);
  const marks = job.reads.flatMap(({ topic, watermark }) =>
    watermark === undefined || watermarks?.[topic] === undefined || !topics.includes(topic)
      ? []
      : [[topic, [watermark.column, watermark.delay_ms]] as const],
  );
  return {
    model,
    reads: [...new Set(topics)].sort(),
    writes: found.writes.topic,
    ...found.settings,
    ...(marks.length === 0 ? {} : { watermarks: Object.fromEntries(marks) }),
    ...(optional === undefined ? {} : { optional }),
  };
}

function sorted<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
