import type { ConfigIssue, ParsedConfig, RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector, ExactlyOnceSupport } from '@levada/connect-runtime-core/contract';
import { textOf } from '../port/raw-config.ts';
import { overridePrefix } from './override-policy.ts';

/** Where transactions end: after each batch of `poll`, after a time, or where the source says. */
export type TransactionBoundary =
  | { readonly kind: 'poll' | 'connector' }
  | { readonly kind: 'interval'; readonly ms: number };

/** Kafka Connect's transactional id of a task. */
export function taskTransactionalId(groupId: string, connector: string, task: number): string {
  return `${groupId}-${connector}-${task}`;
}

/** A connector's `offsets.storage.topic`; undefined for the worker's. */
export function offsetsTopicOf(config: RawConfig): string | undefined {
  const topic = textOf(config, 'offsets.storage.topic')?.trim();
  return topic === '' ? undefined : topic;
}

/** A connector's `transaction.boundary`, once its configuration has no errors. The interval defaults to that of offset commits. */
export function transactionBoundary(config: RawConfig, defaultMs: number): TransactionBoundary {
  const kind = boundaryText(config);
  if (kind === 'connector') return { kind };
  if (kind !== 'interval') return { kind: 'poll' };
  const ms = textOf(config, 'transaction.boundary.interval.ms')?.trim();
  return { kind, ms: ms === undefined ? defaultMs : Number(ms) };
}

/** Whether a connector's records can be stored exactly once; undefined when it does not say. */
export function exactlyOnceSupport(
  connector: AnySourceConnector,
  parsed: ParsedConfig<readonly []>,
  raw: RawConfig,
): ExactlyOnceSupport | undefined {
  const key = `${overridePrefix}bootstrap.servers`;
  // A transaction cannot span two clusters.
  if (textOf(raw, key) !== undefined)
    return { unsupported: `${key} sends records to another cluster than offsets` };
  return connector.exactlyOnceSupport?.(parsed);
}

/** What is asked for and cannot be had, in Kafka Connect's words. */
export function exactlyOnceIssues(
  connector: AnySourceConnector,
  config: RawConfig,
  {
    enabled,
    parse,
  }: {
    /** The worker's `exactly.once.source.support` is `enabled`. */
    readonly enabled: boolean;
    /** The connector's own configuration; undefined while it has errors. */
    readonly parse: () => ParsedConfig<readonly []> | undefined;
  },
): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const key = 'exactly.once.support';
  const required = textOf(config, key)?.trim().toLowerCase() === 'required';
  const connectorBoundary = boundaryText(config) === 'connector';
  if (required && !enabled)
    issues.push({ key, message: 'This worker does not have exactly-once source support enabled.' });
  if (!required && !connectorBoundary) return issues;
  const parsed = parse();
  if (parsed === undefined) return issues;
  const checks = [
    { key, asked: required, check: () => supportProblem(exactlyOnceSupport(connector, parsed, config)) },
    {
      key: 'transaction.boundary',
      asked: connectorBoundary,
      check: () => (connector.definesTransactions?.(parsed) === true ? undefined : NO_BOUNDARIES),
    },
  ];
  for (const { key, asked, check } of checks) {
    const message = asked ? problemOf(check) : undefined;
    if (message !== undefined) issues.push({ key, message });
  }
  return issues;
}

function supportProblem(support: ExactlyOnceSupport | undefined): string | undefined {
  if (support === 'SUPPORTED') return undefined;
  if (support === undefined) return UNKNOWN;
  return `The connector does not support exactly-once semantics with the provided configuration. Reason: ${support.unsupported}`;
}

/** What a check says, or that the connector throws in it. */
function problemOf(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return `An unexpected error occurred during validation: ${message}`;
  }
}

/** Keys of transactions in a worker that writes none. */
export function transactionWarnings(config: RawConfig, enabled: boolean): readonly string[] {
  if (enabled) return [];
  const boundary = boundaryText(config);
  const keys = [
    ...(boundary === undefined || boundary === 'poll' ? [] : ['transaction.boundary']),
    ...(textOf(config, 'transaction.boundary.interval.ms') === undefined
      ? []
      : ['transaction.boundary.interval.ms']),
  ];
  return keys.map(
    (name) => `"${name}" has no effect in this worker: exactly.once.source.support is not enabled`,
  );
}

const UNKNOWN =
  'The connector does not implement the API required for preflight validation of exactly-once source support. Please consult the documentation for the connector to determine whether it supports exactly-once semantics, and then consider reconfiguring the connector to use the value "requested" for this property (which will disable this preflight check and allow the connector to be created).';
const NO_BOUNDARIES =
  'The connector does not support connector-defined transaction boundaries with the given configuration. Please reconfigure it to use a different transaction boundary definition.';

function boundaryText(config: RawConfig): string | undefined {
  return textOf(config, 'transaction.boundary')?.trim().toLowerCase();
}
