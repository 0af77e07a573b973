import type { SourceConnector } from '@levada/connect-runtime-core';
import type { ProducedTypes } from '@levada/connect-runtime-core/contract';
import { checkOffsetChanges } from '@levada/connect-runtime-core/source-kit';
import { checkedValues } from './config/checks.ts';
import { type GrpcConfig, grpcConfig } from './config/config.ts';
import { grpcEvents } from './model/events.ts';
import { grpcMetrics, grpcObjectName } from './model/metrics.ts';
import { restoredOffset } from './record/restored-offset.ts';
import { GrpcTask } from './task.ts';

/** Reads one server-streaming gRPC method into one topic. One task; offsets are session and sequence number. */
export const grpcSourceConnector: SourceConnector<typeof grpcConfig.keys, typeof grpcMetrics> = {
  className: 'io.vendor.connect.grpc.GrpcSourceConnector',
  aliases: ['io.conduktor.connect.grpc.GrpcSourceConnector'],
  version: '0.1.0',
  config: grpcConfig,
  metrics: grpcMetrics,
  events: grpcEvents,
  maxTasks: 1,
  objectName: grpcObjectName,
  validate: checkedValues,
  produces: producedTypes,
  // Without resume an offset says how far the log got, and brings nothing back.
  rereads: (config) => config['grpc.request.resume.field'] !== null,
  exactlyOnceSupport: (config) =>
    config['grpc.request.resume.field'] === null
      ? { unsupported: 'without grpc.request.resume.field the server cannot be asked for messages again' }
      : 'SUPPORTED',
  taskConfigs: (raw) => [raw],
  createTask: () => new GrpcTask(),
  alterOffsets: checkOffsetChanges({
    partition: ['grpc_server', 'grpc_method'],
    partitionText: '{"grpc_server": "host:port", "grpc_method": "service/method"}',
    isOffset: (offset) => restoredOffset(offset) !== undefined,
    offsetText: '{"sessionId": text, "sequence": integer of 0 or more}',
  }),
};

/** Dead letters are text. The protobuf format has them only where it looks into messages, for resuming. */
function producedTypes(config: GrpcConfig): ProducedTypes {
  const json = config['grpc.message.format'] === 'json';
  const deadLetters =
    config['grpc.dead.letter.topic'] !== null && (json || config['grpc.request.resume.field'] !== null);
  const values = json ? [] : (['bytes'] as const);
  return {
    key: config['grpc.record.key'] === null ? [] : ['string'],
    value: json || deadLetters ? [...values, 'string'] : values,
    header: config['record.headers.enabled'] || deadLetters ? ['string'] : [],
  };
}
