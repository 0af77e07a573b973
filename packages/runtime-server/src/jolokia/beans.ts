import type { Herder, MetricObject, WorkerMetrics } from '@levada/connect-worker';
import { metricObjectText } from '../rest/worker-routes.ts';
import { matchesDomain, matchesName, type ObjectName, parseObjectName } from './object-name.ts';

/** Value of an attribute as JSON has it; null for what is not finite. */
export type AttributeValue = number | string | boolean | null;

/** One attribute of a bean. */
export interface BeanAttribute {
  readonly help: string;
  /** Java's name of its type. */
  readonly type: 'double' | 'java.lang.String' | 'long' | 'boolean';
  readonly read: () => AttributeValue;
}

/** What a Java worker shows as an MBean. */
export interface Bean {
  readonly name: ObjectName;
  readonly attributes: ReadonlyMap<string, BeanAttribute>;
}

/** Where beans come from. */
export interface BeanSources {
  readonly metrics: WorkerMetrics;
  readonly herder: Pick<Herder, 'metrics'>;
}

/** The beans that fit a pattern: Kafka Connect's, and one for each connector that runs here, under its plugin's object name. */
export async function findBeans(sources: BeanSources, pattern: ObjectName): Promise<readonly Bean[]> {
  const beans = connectBeans(sources.metrics, pattern);
  const found = [...beans, ...(await connectorBeans(sources, pattern))];
  return found.filter(({ name }) => matchesName(pattern, name));
}

function connectBeans(metrics: WorkerMetrics, pattern: ObjectName): readonly Bean[] {
  const beans: Bean[] = [];
  const type = pattern.keys.get('type');
  const isExact = type !== undefined && !/[*?]/.test(type);
  for (const { family, keys, read } of allObjects(metrics)) {
    if (!matchesDomain(pattern, family.domain) || (isExact && family.type !== type)) continue;
    const values = Object.fromEntries(family.keys.map((key, at) => [key, keys[at] ?? '']));
    const attributes = Object.entries(family.attributes).map(([attribute, { help }]) => {
      const row: BeanAttribute = {
        help,
        type: typeof read(attribute) === 'string' ? 'java.lang.String' : 'double',
        read: () => finite(read(attribute)),
      };
      return [attribute, row] as const;
    });
    beans.push({
      name: nameOf({ domain: family.domain, type: family.type, keys: values }),
      attributes: new Map(attributes),
    });
  }
  return beans;
}

function* allObjects(metrics: WorkerMetrics): Iterable<MetricObject> {
  yield* metrics.objects();
  for (const connector of metrics.connectors()) yield* metrics.objectsOf(connector);
}

async function connectorBeans(
  { metrics, herder }: BeanSources,
  pattern: ObjectName,
): Promise<readonly Bean[]> {
  // Their names depend on their configurations: worth looking at only when the domain is not Kafka's.
  if (/^kafka\.[\w.]+$/.test(pattern.domain)) return [];
  const beans: Bean[] = [];
  for (const { name } of metrics.connectors()) {
    const measured = await herder.metrics(name).catch(() => undefined);
    if (measured === undefined) continue;
    const { objectName, group } = measured;
    const attributes = Object.entries(group.table).map(([attribute, { help, unit }]) => {
      const read = (): AttributeValue => {
        const value = group.read(attribute);
        return unit === 'boolean' ? value !== 0 : finite(value);
      };
      const type = unit === 'boolean' ? 'boolean' : unit === 'percent' ? 'double' : 'long';
      return [attribute, { help, type, read }] as const satisfies [string, BeanAttribute];
    });
    beans.push({ name: nameOf(objectName), attributes: new Map(attributes) });
  }
  return beans;
}

function nameOf(name: Parameters<typeof metricObjectText>[0]): ObjectName {
  const parsed = parseObjectName(metricObjectText(name));
  return parsed ?? { domain: name.domain, keys: new Map([['type', name.type]]), open: false };
}

/** JSON has no word for what is not finite. */
function finite(value: number | string): AttributeValue {
  return typeof value === 'string' || Number.isFinite(value) ? value : null;
}
