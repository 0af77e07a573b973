import type { JobArtifact, ProjectArtifacts } from './artifact.ts';

/** The lists of resources of a project. */
export type ArtifactLists = Omit<ProjectArtifacts, 'order' | 'variables'>;

/**
 * The order in which resources are made: topics before those that write them, schemas before records with them, and what is read before
 * its readers. `models` are names, each after those that it reads.
 */
export function artifactOrder(lists: ArtifactLists, models: readonly string[]): readonly string[] {
  const place = new Map(models.map((name, index) => [name, index]));
  const placeOf = (name: string) => place.get(name) ?? models.length;
  return resourceIds({
    ...lists,
    jobs: afterWriters(lists.jobs.toSorted((one, other) => placeOf(one.name) - placeOf(other.name))),
    virtual_topics: lists.virtual_topics.toSorted((one, other) => placeOf(one.model) - placeOf(other.model)),
  });
}

/** Each job after those that write what it reads, otherwise in the given order. */
function afterWriters(jobs: ArtifactLists['jobs']): ArtifactLists['jobs'] {
  const writers = new Map(jobs.flatMap((job) => job.models.map(({ writes }) => [writes, job] as const)));
  const ordered = new Set<JobArtifact>();
  const seen = new Set<JobArtifact>();
  // A stack of its own, since chains may be long
  const stack = jobs.toReversed();
  for (let job = stack.at(-1); job !== undefined; job = stack.at(-1)) {
    const missing = seen.has(job)
      ? []
      : job.reads.flatMap((topic) => writers.get(topic) ?? []).filter((one) => !seen.has(one) && one !== job);
    seen.add(job);
    if (missing.length > 0) stack.push(...missing.toReversed());
    else {
      stack.pop();
      ordered.add(job);
    }
  }
  return [...ordered];
}

/** Ids of resources, in the order of their kinds and of the lists: `job:x`. Tests that are data alone are none. */
export function resourceIds({
  topics,
  schemas,
  virtual_topics,
  jobs,
  connectors,
  tests,
}: ArtifactLists): readonly string[] {
  return [
    ...topics.map(({ name }) => `topic:${name}`),
    ...schemas.map(({ name }) => `schema:${name}`),
    ...virtual_topics.map(({ model }) => `virtual_topic:${model}`),
    ...jobs.map(({ name }) => `job:${name}`),
    ...connectors.map(({ name }) => `connector:${name}`),
    ...tests.filter(({ type }) => type === 'continuous').map(({ name }) => `test:${name}`),
  ];
}
