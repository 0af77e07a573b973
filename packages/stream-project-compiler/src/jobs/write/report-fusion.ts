import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import type { JobEnd } from '../../infer/job-end.ts';
import { placeOf } from '../../parse/node-place.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { JobOutline, JobSettings } from '../job.ts';
import { jobCodes } from '../job-codes.ts';
import { hasState } from '../state/has-state.ts';
import { settingDuration } from '../text/durations.ts';
import { MAX_TRANSACTION_MS } from '../topic-options.ts';

/** Why a model is read through its topic. */
type TopicRead = JobEnd | 'cluster' | 'no-job';

/** Why, after "since"; and what to change for a `reader` that needs the event time of the model that is `read`. */
const reasons: Readonly<
  Record<TopicRead, { readonly why: string; readonly change: (reader: string, read: string) => string }>
> = {
  asked: {
    why: 'it says "ends_job"',
    change: (reader, read) => `remove "ends_job" from ${read}, or read in ${reader} what ${read} reads`,
  },
  'event-time': {
    why: 'it declares an event time that its SQL does not hand on, or a longer delay',
    change: (reader, read) =>
      `let ${read} have the event time that its SQL hands on, or read in ${reader} what ${read} reads`,
  },
  key: {
    why: 'its key keeps one of several rows',
    change: (_, read) => `let the "key" of ${read} be one of its query`,
  },
  columns: {
    why: 'not all of its columns are known',
    change: (_, read) => `declare all columns of the sources that ${read} reads`,
  },
  view: {
    why: 'its SQL cannot be a view',
    change: (reader, read) => `write the SQL of ${read} as a part of that of ${reader}`,
  },
  // Its SQL within another query would have the wrong rows (LV4161)
  'first-rows': {
    why: 'the engine would take its rows for appended, and they are replaced',
    change: (_, read) => `let ${read} number its rows by its event time, or by one column with DESC`,
  },
  cluster: {
    why: 'it runs on another cluster',
    change: (reader, read) => `run both on one cluster, or read in ${reader} what ${read} reads`,
  },
  'no-job': {
    why: 'it has no job',
    change: (reader, read) => `let ${read} have a job, or read in ${reader} what ${read} reads`,
  },
};

/** What is to be said of models as parts of one job, or of several. */
export function reportFusion(project: InferredProject, jobs: Iterable<JobOutline>): readonly Diagnostic[] {
  const all = [...jobs];
  const written = new Set(all.flatMap(({ models }) => models.map(({ model }) => nodeId('model', model))));
  return all.flatMap((job) => [
    ...reportReaders(job, project),
    ...reportOwnTopics(job, project),
    ...reportTimes(job, project, written),
    ...reportState(job, project),
    ...reportStart(job, project),
    ...reportTransactions(job, project),
  ]);
}

/** Fewer tasks than a model asks for, because of a topic with fewer partitions, or of which nothing says how many there are. */
function reportReaders(
  { models, readers, narrowest }: JobOutline,
  { resolved }: InferredProject,
): readonly Diagnostic[] {
  const asked = Math.max(0, ...models.map(({ settings }) => settings.parallelism ?? 0));
  const model = models.find(({ settings }) => settings.parallelism === asked);
  const found = model === undefined ? undefined : resolved.models.get(model.model);
  if (found === undefined || readers === undefined || readers >= asked || narrowest === undefined) return [];
  const { node, partitions } = narrowest;
  const what = quote(node.slice(node.indexOf(':') + 1));
  const why =
    partitions === undefined
      ? 'nothing says how many partitions it has'
      : `it has ${partitions} ${partitions === 1 ? 'partition' : 'partitions'}`;
  const message = `model ${quote(shownName(found))} asks for ${asked} tasks, but ${readers} read ${what}: ${why}`;
  const missing = node.startsWith('source:')
    ? `write "partitions" of source ${what}`
    : `write "advanced.topic.partitions" of model ${what}`;
  const hint = partitions === undefined ? missing : undefined;
  return [atKey(found, 'advanced.engine.parallelism', jobCodes['job-readers'], { message, hint })];
}

/** Topics that a job reads although it writes them: a model reads one that ends its job, and other models connect the two. */
function reportOwnTopics(
  { models }: JobOutline,
  { resolved, nodes }: InferredProject,
): readonly Diagnostic[] {
  const own = new Set(models.map(({ model }) => nodeId('model', model)));
  return models.flatMap(({ model, reads, within }) =>
    reads.flatMap(({ node }) => {
      const reader = resolved.models.get(model);
      const read = resolved.models.get(node.slice('model:'.length));
      const end = nodes.get(node)?.job?.end;
      if (reader === undefined || read === undefined || !own.has(node) || within.has(node)) return [];
      const [name, readName] = [quote(shownName(reader)), quote(shownName(read))];
      const why = end === undefined ? '' : `, since ${reasons[end].why}`;
      const message = `model ${name} reads the topic of model ${readName} in the job that writes it: ${readName} ends its job${why}, but other models make both one job`;
      const hint = 'for two jobs, end the job at the models that connect them as well';
      return [atKey(reader, 'sql', jobCodes['job-reads-own-topic'], { message, hint })];
    }),
  );
}

/** Event time that is made again from a model's topic, where something waits for it. */
function reportTimes(
  { models }: JobOutline,
  { resolved, nodes }: InferredProject,
  written: ReadonlySet<NodeId>,
): readonly Diagnostic[] {
  return models.flatMap(({ model, reads, within, isTimed }) => {
    const reader = resolved.models.get(model);
    if (reader === undefined || !isTimed) return [];
    return reads.flatMap(({ node }) => {
      const read = resolved.models.get(node.slice('model:'.length));
      const inference = nodes.get(node);
      if (!node.startsWith('model:') || read === undefined || within.has(node)) return [];
      if (inference?.eventTime === undefined || inference.job === undefined) return [];
      const { end = written.has(node) ? 'cluster' : 'no-job' } = inference.job;
      const { why, change } = reasons[end];
      const [name, readName] = [quote(shownName(reader)), quote(shownName(read))];
      const message = `model ${name} makes event time again from the topic of model ${readName}: ${why}`;
      const hint = `rows that come too late in that topic are left out: ${change(name, readName)}`;
      return [atKey(reader, 'sql', jobCodes['job-time-read-again'], { message, hint })];
    });
  });
}

/** State that the job keeps longer than one of its models asks for. */
function reportState({ models, settings }: JobOutline, { resolved }: InferredProject): readonly Diagnostic[] {
  return models.flatMap(({ model, settings: { stateTtlMs: asked } }) => {
    const found = resolved.models.get(model);
    const query = found?.sql?.parsed.query;
    if (found === undefined || query === undefined || !hasState(query)) return [];
    if (asked === undefined || asked === settings.stateTtlMs) return [];
    const kept =
      settings.stateTtlMs === undefined ? 'without limit' : `for ${settingDuration(settings.stateTtlMs)}`;
    const message = `state of model ${quote(shownName(found))} is kept ${kept}, not for ${settingDuration(asked)}: a job has one time for all of its models`;
    const hint =
      'give all models of the job a "state_ttl_ms", or end the job before this one with "advanced.engine.ends_job"';
    return [atKey(found, 'advanced.engine.state_ttl_ms', jobCodes['job-state-longer'], { message, hint })];
  });
}

/** A start that is not the one of the job, which begins to read earlier. */
function reportStart({ models, settings }: JobOutline, { resolved }: InferredProject): readonly Diagnostic[] {
  const followers = models.filter(({ followsStart }) => followsStart);
  const ofJob = startText(settings);
  const cause = followers.find((one) => startText(one.settings) === ofJob);
  const other = cause === undefined ? undefined : resolved.models.get(cause.model);
  return followers.flatMap(({ model, settings: asked }) => {
    const found = resolved.models.get(model);
    if (found === undefined || startText(asked) === ofJob) return [];
    const says =
      cause?.settings.start === undefined && settings.startMs === undefined ? 'says none' : 'says so';
    const why =
      other === undefined
        ? 'no one knows whether a time or the position of a group is earlier'
        : `model ${quote(shownName(other))} ${says}`;
    const message = `the job of model ${quote(shownName(found))} has the start ${quote(ofJob)}, not ${quote(startText(asked))}: a job has one for all of its models, and ${why}`;
    const hint =
      'give all models of the job the same start, or end the job before this one with "advanced.engine.ends_job"';
    const key = `advanced.engine.${asked.startMs === undefined ? 'start' : 'start_timestamp_ms'}`;
    return [atKey(found, key, jobCodes['job-starts-earlier'], { message, hint })];
  });
}

function startText({ start, startMs }: JobSettings): string {
  return startMs === undefined ? (start ?? 'earliest') : `start_timestamp_ms: ${startMs}`;
}

/** Transactions that the broker aborts before a checkpoint commits them. */
function reportTransactions(
  { models, settings: { checkpointIntervalMs, delivery } }: JobOutline,
  { resolved }: InferredProject,
): readonly Diagnostic[] {
  if (delivery !== 'exactly_once' || (checkpointIntervalMs ?? 0) < MAX_TRANSACTION_MS) return [];
  const asking = models.find(({ settings }) => settings.checkpointIntervalMs === checkpointIntervalMs);
  const found = asking === undefined ? undefined : resolved.models.get(asking.model);
  if (found === undefined || checkpointIntervalMs === undefined) return [];
  const [interval, timeout] = [checkpointIntervalMs, MAX_TRANSACTION_MS].map(settingDuration);
  const message = `the job of model ${quote(shownName(found))} writes exactly once, with a checkpoint each ${interval}: brokers abort a transaction after ${timeout}, before the checkpoint commits it`;
  const hint = `write a "checkpoint_interval_ms" well below ${MAX_TRANSACTION_MS}, or "delivery: at_least_once"`;
  return [
    atKey(found, 'advanced.engine.checkpoint_interval_ms', jobCodes['job-transactions-end'], {
      message,
      hint,
    }),
  ];
}

function shownName({ definition, name }: ResolvedModel): string {
  return shownText(placeOf(definition.node, 'name').node, name);
}

function atKey(
  { definition }: ResolvedModel,
  key: string,
  entry: CatalogueEntry,
  says: { readonly message: string; readonly hint: string | undefined },
): Diagnostic {
  const { file, path, object, node, head } = definition;
  const range = rangeAt(file, placeOf(node, key).keySpan ?? head);
  return diagnose(entry, { ...says, range, path: `${path}.${key}`, object });
}
