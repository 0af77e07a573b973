import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { connectFamilies, metricObject } from '../metrics/connect-families.ts';
import type { GroupMetrics } from '../metrics/group-metrics.ts';
import type { WorkerCounts } from '../metrics/worker-counts.ts';
import type { MeasuredConnector, MetricObject, WorkerMetrics } from '../port/metric-objects.ts';
import { textOf } from '../port/raw-config.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { HerderContext } from './herder-context.ts';

/** What of a worker is measured, beside its connectors and tasks. */
export interface MeasuredParts {
  readonly counts: WorkerCounts;
  readonly group: GroupMetrics;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What the worker measures, from what is in memory: asking waits for nothing. */
export function metricReads(context: HerderContext, parts: MeasuredParts): WorkerMetrics {
  return {
    connectors: () => shownConnectors(context),
    objects: () => workerObjects(context, parts),
    objectsOf: (connector) => connectorObjects(context, connector, parts.group.observed),
  };
}

function* workerObjects(context: HerderContext, parts: MeasuredParts): Iterable<MetricObject> {
  const { options } = context;
  const { counts, group, startedAt } = parts;
  const { appInfo, worker, rebalance, coordinator } = connectFamilies;
  const { version, workerId } = options;
  // As a Java worker names its client of the group when it has no `client.id`.
  const clientId = `connect-${workerId}`;
  yield metricObject(appInfo, { version, commit: `levada-${version}`, startedAt }, [clientId]);
  const assigned = assignedHere(context);
  yield metricObject(worker, { ...counts, ...assigned });
  if (group.observed) {
    yield metricObject(rebalance, group);
    yield metricObject(coordinator, { group, ...assigned }, [clientId]);
  }
}

function* connectorObjects(
  { worker, registry }: HerderContext,
  { name, className, status, tasks }: MeasuredConnector,
  hasProducers: boolean,
): Iterable<MetricObject> {
  const connector = registry.findConnector(className);
  const measured = worker.get(name)?.measured;
  if (status !== undefined) {
    const descriptor = {
      status: status.state.toLowerCase(),
      type: connector === undefined ? 'unknown' : 'source',
      className,
      version: connector?.version ?? 'unknown',
    };
    yield metricObject(connectFamilies.connector, descriptor, [name]);
  }
  yield metricObject(connectFamilies.workerConnector, tasks, [name]);
  for (const { id, state } of tasks) {
    const keys = [name, String(id)];
    const metrics = measured?.get(id);
    yield metricObject(connectFamilies.task, { status: state.toLowerCase(), metrics }, keys);
    if (metrics === undefined) continue;
    yield metricObject(connectFamilies.sourceTask, metrics, keys);
    yield metricObject(connectFamilies.taskError, metrics, keys);
    if (hasProducers)
      yield metricObject(connectFamilies.producer, metrics, [`connector-producer-${name}-${id}`]);
  }
}

function assignedHere({ gate, configs, assignment }: HerderContext): {
  readonly connectors: number;
  readonly tasks: number;
} {
  let connectors = 0;
  let tasks = 0;
  for (const name of gate.readable ? configs.names() : []) {
    if (assignment.connector(name)) connectors += 1;
    const { length } = configs.get(name)?.tasks ?? [];
    for (let id = 0; id < length; id += 1) if (assignment.task(name, id)) tasks += 1;
  }
  return { connectors, tasks };
}

function shownConnectors(context: HerderContext): readonly MeasuredConnector[] {
  const { gate, configs } = context;
  if (!gate.readable) return [];
  return configs.names().flatMap((name) => {
    const stored = configs.get(name);
    return stored === undefined ? [] : (shownConnector(context, stored) ?? []);
  });
}

function shownConnector(context: HerderContext, stored: StoredConnector): MeasuredConnector | undefined {
  const { statuses, registry, worker } = context;
  const { name } = stored;
  const showsConnector = shows(context, { connector: name });
  const configured = stored.tasks?.length ?? 0;
  const tasks = statuses
    .tasks(name)
    .filter(({ id }) => id < configured && shows(context, { connector: name, task: id }));
  if (!showsConnector && tasks.length === 0) return undefined;
  const given = textOf(stored.config, 'connector.class')?.trim() ?? '';
  const connector: AnySourceConnector | undefined = registry.findConnector(given);
  return {
    name,
    className: connector?.className ?? given,
    status: showsConnector ? statuses.connector(name) : undefined,
    tasks,
    group: connector === undefined ? undefined : worker.ensure(stored, connector).metrics,
  };
}

/** Whether it runs here; the leader shows what runs nowhere, too, so that an alert on it can fire. */
function shows(
  { assignment }: HerderContext,
  { connector, task }: { readonly connector: string; readonly task?: number },
): boolean {
  const isHere = task === undefined ? assignment.connector(connector) : assignment.task(connector, task);
  if (isHere || !assignment.leads) return isHere;
  const key = task === undefined ? { connector } : { task: `${connector}-${task}` };
  return assignment.ownerUrl(key) === undefined;
}
