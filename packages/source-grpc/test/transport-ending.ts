import type { GrpcStatus } from '../src/model/grpc-status.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import { type RawPeer, startRawHttp2Server } from './raw-http2-server.ts';
import { channelOptions, startCall } from './transport-call.ts';

export interface Ending {
  readonly status: GrpcStatus;
  /** The messages that it delivered. */
  readonly texts: readonly string[];
}

/** Makes a call to a server that answers it so, and waits for its end. */
export async function endingOf(answer: (peer: RawPeer, streamId: number) => void): Promise<Ending> {
  const server = await startRawHttp2Server({ onCall: answer });
  const channel = await openChannel(channelOptions(server.port));
  try {
    const call = startCall(channel);
    const status = await call.ended;
    return { status, texts: call.texts() };
  } finally {
    await channel.close();
    await server.close();
  }
}
