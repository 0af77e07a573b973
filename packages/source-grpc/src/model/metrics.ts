import type { MetricTable, RawConfig, TaskContext } from '@levada/connect-runtime-core';
import type { MetricObjectName } from '@levada/connect-runtime-core/contract';
import { connectionMetrics, holdUpMetrics, sourceMetrics } from '@levada/connect-runtime-core/source-kit';

/** Attributes of a gRPC connector. */
export const grpcMetrics = {
  ...sourceMetrics,
  ...connectionMetrics,
  ...holdUpMetrics,
  SequenceGaps: {
    kind: 'counter',
    unit: 'count',
    help: 'Sequence numbers that are missing among the records handed to the log: each is a message dropped before',
    series: { name: 'connect_source_sequence_gaps_total' },
  },
  DeadLetters: {
    kind: 'counter',
    unit: 'count',
    help: 'Messages that could not be converted and went to the dead-letter topic',
    series: { name: 'connect_source_dead_letters_total' },
  },
  PermanentErrors: {
    kind: 'counter',
    unit: 'count',
    help: 'Calls that ended with a status that repeating seldom cures, such as UNAUTHENTICATED or INVALID_ARGUMENT',
    series: { name: 'connect_source_permanent_errors_total' },
  },
} as const satisfies MetricTable;

export type GrpcContext = TaskContext<typeof grpcMetrics>;

/** Longest server in an object name. */
const MAX_LENGTH = 50;

/** The object that carries the attributes: connector name, and host and port of the server. */
export function grpcObjectName(name: string, raw: RawConfig): MetricObjectName {
  const server = `${raw['grpc.server.host'] ?? ''}:${raw['grpc.server.port'] ?? ''}`
    .replace(/[^A-Za-z0-9._:-]/g, '_')
    .slice(0, MAX_LENGTH);
  return { domain: 'io.vendor.connect.grpc', type: 'GrpcConnector', keys: { name, server } };
}
