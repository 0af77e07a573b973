import type { GrpcStatus } from '../model/grpc-status.ts';
import type { Call } from './channel.ts';

/** A call that could not be made. */
export function endedCall(status: GrpcStatus): Call {
  const nothing = (): void => undefined;
  return {
    ended: Promise.resolve(status),
    send: nothing,
    half: nothing,
    pause: nothing,
    resume: nothing,
    cancel: nothing,
  };
}
