import { compile, type InferredProject, loadProject } from '../../src/index.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { projectTests } from '../../src/test-jobs/project-tests.ts';
import type { TestJob } from '../../src/test-jobs/test-job.ts';
import { compiledProjects } from '../jobs/compiled-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** A job of a test, with a name of its own. */
export type NamedTest = readonly [id: string, job: TestJob];

/** The jobs of the tests of a project in memory, and what is wrong with it. */
export async function testJobs(files: Readonly<Record<string, string>>): Promise<{
  readonly jobs: ReadonlyMap<string, TestJob>;
  readonly errors: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}> {
  const loaded = await loadProject({
    fileSystem: memoryFileSystem(files),
    environment: { SECRET: 'canary' },
  });
  const { diagnostics, project, files: written } = compile(loaded, { today: '2025-01-01' });
  const errors = diagnostics.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
  return { jobs: jobsOf(project), errors, files: written };
}

function jobsOf(project: InferredProject): ReadonlyMap<string, TestJob> {
  const { tests } = projectTests(project, projectJobs(project));
  return new Map([...tests].flatMap(([name, { job }]) => (job === undefined ? [] : [[name, job] as const])));
}

/** The jobs of the continuous tests of the corpus and the example. */
export async function corpusTests(): Promise<readonly NamedTest[]> {
  const found: NamedTest[] = [];
  for (const { id, project } of await compiledProjects()) {
    for (const [name, job] of jobsOf(project)) found.push([`${id} ${name}`, job]);
  }
  return found;
}
