import type { SourceOffset, SourcePartition } from '@levada/connect-runtime-core';
import { endpointText } from '../model/endpoints.ts';

/** The offset that an earlier run committed. */
export interface RestoredOffset {
  readonly sessionId: string;
  /** Number of the last message that the log acknowledged. */
  readonly sequence: number;
  /** The position that the next request resumes after, when that is not the sequence. */
  readonly resume: string | undefined;
}

/** The source partition of a method of a server. */
export function sourcePartition(config: {
  readonly 'grpc.server.host': string;
  readonly 'grpc.server.port': number;
  readonly 'grpc.service.name': string;
  readonly 'grpc.method.name': string;
}): SourcePartition {
  return {
    grpc_server: endpointText({ host: config['grpc.server.host'], port: config['grpc.server.port'] }),
    grpc_method: `${config['grpc.service.name']}/${config['grpc.method.name']}`,
  };
}

/** Reads a stored offset; `session_id` is understood as well as `sessionId`. Undefined when it is none of this connector. */
export function restoredOffset(offset: SourceOffset): RestoredOffset | undefined {
  const { sequence, resume } = offset;
  const sessionId = offset['sessionId'] ?? offset['session_id'];
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0) return undefined;
  return {
    sessionId: typeof sessionId === 'string' ? sessionId : '',
    sequence,
    resume: typeof resume === 'string' ? resume : undefined,
  };
}
