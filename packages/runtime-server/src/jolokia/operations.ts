import { type AttributeValue, type Bean, type BeanSources, findBeans } from './beans.ts';
import { JolokiaError } from './jolokia-error.ts';
import type { JolokiaRequest } from './jolokia-request.ts';
import { isPattern, keyList, type ObjectName, parseObjectName } from './object-name.ts';

/** What operations work with. */
export interface JolokiaSources extends BeanSources {
  /** Of this worker. */
  readonly version: string;
}

/** The version of the protocol; the part that reads is implemented. */
const PROTOCOL = '8.2';

type Operation = (request: JolokiaRequest, sources: JolokiaSources) => unknown;

/** Everything that reads. What changes something is refused, whatever it is. */
const operations: Readonly<Record<string, Operation>> = {
  read,
  search,
  list,
  version: (_request, { version }) => ({
    agent: version,
    protocol: PROTOCOL,
    info: { vendor: 'Levada', product: 'levada-worker', version },
    config: {},
  }),
};
const forbidden = new Set(['write', 'exec', 'notification']);

/** The value that answers a request. Rejects with a {@link JolokiaError}. */
export async function perform(request: JolokiaRequest, sources: JolokiaSources): Promise<unknown> {
  const { type } = request;
  if (forbidden.has(type))
    throw new JolokiaError(
      403,
      'java.lang.SecurityException',
      `${type} is not allowed, this endpoint only reads`,
    );
  const operation = Object.hasOwn(operations, type) ? operations[type] : undefined;
  if (operation === undefined)
    throw new JolokiaError(
      400,
      'java.lang.IllegalArgumentException',
      `Unknown type of request "${type.slice(0, 80)}", known are ${Object.keys(operations).join(', ')}`,
    );
  return await operation(request, sources);
}

async function read(request: JolokiaRequest, sources: JolokiaSources): Promise<unknown> {
  const name = requiredName(request);
  const beans = await findBeans(sources, name);
  const [first] = beans;
  if (first === undefined)
    throw new JolokiaError(
      404,
      'javax.management.InstanceNotFoundException',
      isPattern(name) ? `No MBean with pattern ${request.mbean} found` : String(request.mbean),
    );
  if (!isPattern(name)) return within(valuesOf(first, request), request.path);
  const entries = beans.flatMap((bean) => {
    const values = presentValues(bean, request);
    return Object.keys(values).length === 0 ? [] : [[nameText(bean.name, request), values] as const];
  });
  if (entries.length === 0)
    throw new JolokiaError(
      404,
      'javax.management.AttributeNotFoundException',
      `No MBean with pattern ${request.mbean} has the attribute ${String(request.attribute)}`,
    );
  return within(Object.fromEntries(entries), request.path);
}

/** Values of one bean: a single one for a single name, all of them by name otherwise. */
function valuesOf(bean: Bean, request: JolokiaRequest): unknown {
  const { attribute, options } = request;
  const names = attribute === undefined ? [] : [attribute].flat();
  const missing = names.find((name) => !bean.attributes.has(name));
  if (missing !== undefined && !options.ignoreErrors)
    throw new JolokiaError(
      404,
      'javax.management.AttributeNotFoundException',
      `No such attribute: ${missing.slice(0, 200)}`,
    );
  if (typeof attribute === 'string') return bean.attributes.get(attribute)?.read() ?? null;
  return presentValues(bean, request);
}

function presentValues(bean: Bean, { attribute }: JolokiaRequest): Record<string, AttributeValue> {
  const names = attribute === undefined ? [...bean.attributes.keys()] : [attribute].flat();
  return Object.fromEntries(
    names.flatMap((name) => {
      const row = bean.attributes.get(name);
      return row === undefined ? [] : [[name, row.read()] as const];
    }),
  );
}

async function search(request: JolokiaRequest, sources: JolokiaSources): Promise<unknown> {
  const beans = await findBeans(sources, requiredName(request));
  return beans.map(({ name }) => nameText(name, request));
}

const everything: ObjectName = { domain: '*', keys: new Map(), open: true };

async function list(request: JolokiaRequest, sources: JolokiaSources): Promise<unknown> {
  const [domain] = request.path;
  const beans = await findBeans(sources, { ...everything, domain: domain ?? '*' });
  const domains: Record<string, Record<string, unknown>> = Object.create(null);
  for (const bean of beans) {
    const { domain: name } = bean.name;
    const ofDomain: Record<string, unknown> = domains[name] ?? Object.create(null);
    domains[name] = ofDomain;
    ofDomain[keyList(bean.name, request.options.canonicalNaming)] = description(bean);
  }
  const found = within(domains, request.path);
  const { maxDepth } = request.options;
  return maxDepth > 0 ? cut(found, maxDepth) : found;
}

function description({ attributes }: Bean): object {
  const attr = [...attributes].map(([name, { type, help }]) => [name, { rw: false, type, desc: help }]);
  return { attr: Object.fromEntries(attr), desc: 'Metrics of a worker' };
}

/** Deeper levels as 1, as Jolokia does. */
function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return 1;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, depth - 1)]));
}

function within(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part))
      throw new JolokiaError(
        404,
        'javax.management.InstanceNotFoundException',
        `Nothing is at the path ${path.join('/').slice(0, 200)}`,
      );
    at = (at as Readonly<Record<string, unknown>>)[part];
  }
  return at;
}

function requiredName({ mbean, type }: JolokiaRequest): ObjectName {
  if (mbean === undefined)
    throw new JolokiaError(400, 'java.lang.IllegalArgumentException', `A ${type} needs the key "mbean"`);
  const name = parseObjectName(mbean);
  if (name !== undefined) return name;
  throw new JolokiaError(
    400,
    'javax.management.MalformedObjectNameException',
    `"${mbean.slice(0, 200)}" is no object name, expected <domain>:<key>=<value>,...`,
  );
}

function nameText(name: ObjectName, { options }: JolokiaRequest): string {
  return `${name.domain}:${keyList(name, options.canonicalNaming)}`;
}
