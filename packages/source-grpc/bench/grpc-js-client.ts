import { type ClientOptions, credentials, Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import type { FeedClient } from './feed-client.ts';

const WINDOW_BYTES = 4 * 1_048_576;

/** As fast as grpc-js gets: the bytes as they are, a large window, and nothing of a channel that is not needed. */
const options: ClientOptions = {
  'grpc-node.flow_control_window': WINDOW_BYTES,
  'grpc.max_receive_message_length': -1,
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.enable_channelz': 0,
  'grpc.service_config_disable_resolution': 1,
};

/** Receives by `@grpc/grpc-js`. Kept for comparison only. */
export const grpcJsClient: FeedClient = async ({ port, path, onMessage }) => {
  const client = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure(), options);
  const same = (bytes: Buffer): Buffer => bytes;
  const call = client.makeServerStreamRequest(path, same, same, Buffer.alloc(0), new Metadata());
  call.on('data', onMessage);
  call.on('error', () => undefined);
};
