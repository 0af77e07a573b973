import type { JobStart } from '@levada/stream-project-schema';
import { textAt } from '../parse/known-value.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import { isOnlyReferences } from '../parse/secret-in-clear.ts';
import type { JobSettings } from './job.ts';
import {
  literal,
  literalWithVariables,
  option,
  type TableOption,
  withoutVariables,
} from './text/sql-words.ts';
import type { TopicTable } from './topic-table.ts';

/** Text of `runtime` with its variables as they are written; undefined where there is none. */
type WrittenText = (path: string) => string | undefined;

/** Options of tables that follow from `runtime`. Values of variables are in none of them. */
export interface PlatformOptions {
  /** How clients reach the brokers, or the gateway in their place. */
  readonly connection: (at: TopicTable['at']) => readonly TableOption[];
  /** How schemas are found, for a format with this prefix of its options; undefined without a registry. */
  readonly registry: (prefix: string) => readonly TableOption[] | undefined;
  /** Whether a password is written in the project's own files. */
  readonly secret: boolean;
}

/** Reads `runtime` once. */
export function platformOptions({ runtime }: Pick<ParsedProject, 'runtime'>): PlatformOptions {
  const written: WrittenText = (path) => {
    const node = runtime === undefined ? undefined : textAt(runtime.node, path);
    return node === undefined ? undefined : writtenText(node.scalar.value, node.interpolated !== undefined);
  };
  const isInClear = (path: string) => {
    const node = runtime === undefined ? undefined : textAt(runtime.node, path);
    return node?.secret === true && !isOnlyReferences(node.scalar.value ?? '');
  };
  const connections = { platform: connection(written, 'platform'), gateway: connection(written, 'gateway') };
  return {
    secret: ['platform.sasl_password', 'schema_registry.password', 'schema_registry.url'].some(isInClear),
    connection: (at) => connections[at],
    registry: (prefix) => registry(written, prefix),
  };
}

/** Text without variables may hold "${", which would begin one in a job. */
function writtenText(value: unknown, interpolated: boolean): string {
  return interpolated ? String(value) : withoutVariables(String(value));
}

function connection(written: WrittenText, at: TopicTable['at']): readonly TableOption[] {
  const servers = written(at === 'gateway' ? 'vendor.gateway.proxy_bootstrap' : 'platform.bootstrap_servers');
  const options: TableOption[] = [['properties.bootstrap.servers', literalWithVariables(servers ?? '')]];
  const add = (key: string, text: string | undefined) => {
    if (text !== undefined) options.push([`properties.${key}`, literalWithVariables(text)]);
  };
  add('security.protocol', written('platform.security_protocol'));
  const mechanism = written('platform.sasl_mechanism');
  add('sasl.mechanism', mechanism);
  const [user, password] = [written('platform.sasl_username'), written('platform.sasl_password')];
  if (user !== undefined && password !== undefined) add('sasl.jaas.config', login(mechanism, user, password));
  return options;
}

/** The login of a Java client: https://kafka.apache.org/documentation/#security_sasl_jaasconfig. */
function login(mechanism: string | undefined, user: string, password: string): string {
  const module =
    mechanism?.startsWith('SCRAM') === true ? 'scram.ScramLoginModule' : 'plain.PlainLoginModule';
  const text = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return `org.apache.kafka.common.security.${module} required username=${text(user)} password=${text(password)};`;
}

function registry(written: WrittenText, prefix: string): readonly TableOption[] | undefined {
  const url = written('schema_registry.url');
  if (url === undefined) return undefined;
  const [user, password] = [written('schema_registry.username'), written('schema_registry.password')];
  const address: TableOption = [`${prefix}.url`, literalWithVariables(url)];
  if (user === undefined || password === undefined) return [address];
  return [
    address,
    [`${prefix}.basic-auth.credentials-source`, literal('USER_INFO')],
    [`${prefix}.basic-auth.user-info`, literalWithVariables(`${user}:${password}`)],
  ];
}

/** Options of where each start begins, and of what comes after a position that is gone. */
const startModes: Readonly<Record<JobStart, readonly TableOption[]>> = {
  earliest: [option('scan.startup.mode', 'earliest-offset')],
  latest: [option('scan.startup.mode', 'latest-offset')],
  resume: [option('scan.startup.mode', 'group-offsets'), option('properties.auto.offset.reset', 'earliest')],
};

/**
 * Options by which a topic is read, and the position is kept under the name of a group. Records of transactions that were aborted are
 * not read. Tests read from the position of the group, at first from the end.
 */
export function readOptions(
  group: string,
  start: Pick<JobSettings, 'start' | 'startMs'> | 'tests' = { start: undefined, startMs: undefined },
): readonly TableOption[] {
  const shared = [
    option('properties.group.id', group),
    option('properties.isolation.level', 'read_committed'),
  ];
  if (start === 'tests')
    return [
      ...shared,
      option('scan.startup.mode', 'group-offsets'),
      option('properties.auto.offset.reset', 'latest'),
    ];
  if (start.startMs === undefined) return [...shared, ...startModes[start.start ?? 'earliest']];
  return [
    ...shared,
    option('scan.startup.mode', 'timestamp'),
    option('scan.startup.timestamp-millis', String(start.startMs)),
  ];
}

/** Brokers end transactions after 15 minutes unless they are set up for longer ones, which the engine asks for by default. */
export const MAX_TRANSACTION_MS = 900_000;

/** Options by which a topic is written in transactions, of which each has an id with this prefix. */
export function transactionOptions(prefix: string): readonly TableOption[] {
  return [
    option('sink.delivery-guarantee', 'exactly-once'),
    option('sink.transactional-id-prefix', prefix),
    option('properties.transaction.timeout.ms', String(MAX_TRANSACTION_MS)),
  ];
}
