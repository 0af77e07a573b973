import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grpcDescriptors, grpcFeed } from '../systems/loads.ts';
import type { FeedConfigs } from './feeds.ts';

/** How connectors and receivers read the gRPC feed. Its descriptor set is in a file until this process ends. */
export function grpcConfigs(): FeedConfigs {
  const folder = mkdtempSync(join(tmpdir(), 'levada-descriptors-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const descriptors = join(folder, 'feed.desc');
  const set = grpcDescriptors();
  writeFileSync(descriptors, set);
  const { service, method, request, response } = grpcFeed;
  return {
    ours: (port, topic) => ({
      'connector.class': 'io.vendor.connect.grpc.GrpcSourceConnector',
      'grpc.server.host': '127.0.0.1',
      'grpc.server.port': String(port),
      'grpc.service.name': service,
      'grpc.method.name': method,
      'grpc.proto.descriptor': set.toString('base64'),
      'platform.topic': topic,
    }),
    block: { 'grpc.queue.full.policy': 'block' },
    java: (port) => ({
      'connector.class': 'GrpcConnector',
      host: '127.0.0.1',
      port: String(port),
      service,
      method,
      request,
      response,
      descriptors,
    }),
    receiver: [`/${service}/${method}`],
    storing: [descriptors, response],
  };
}
