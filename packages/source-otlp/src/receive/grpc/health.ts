import { encodeFields, framed, statusCodes, textOf } from '@levada/grpc-wire';
import { fault, type GrpcStatus } from './grpc-status.ts';
import type { StreamMethod } from './stream-call.ts';
import { REQUEST_MS } from './time-limits.ts';

/** HealthCheckResponse with each ServingStatus (https://github.com/grpc/grpc/blob/master/doc/health-checking.md). */
const responses = {
  serving: framed(encodeFields([[1, 1]])),
  notServing: framed(encodeFields([[1, 2]])),
  serviceUnknown: framed(encodeFields([[1, 3]])),
} as const;

const noRequest: GrpcStatus = fault('invalid', 'the message is no HealthCheckRequest').status;

/** `Check`: SERVING for the server as a whole (`""`) and for each of these services. */
export function checkHealth(services: readonly string[]): (request: Uint8Array) => Buffer | GrpcStatus {
  return (request) => {
    const service = serviceOf(request);
    if (service === undefined) return noRequest;
    if (isServed(service, services)) return responses.serving;
    return { code: statusCodes.NOT_FOUND, message: 'unknown service', retry: false };
  };
}

/** `Watch`: the state now, and NOT_SERVING when the receiver stops. */
export function watchHealth(services: readonly string[]): StreamMethod {
  return {
    watches: true,
    idleMs: REQUEST_MS,
    farewell: responses.notServing,
    answer: (request) => {
      const service = serviceOf(request);
      if (service === undefined) return noRequest;
      return isServed(service, services) ? responses.serving : responses.serviceUnknown;
    },
  };
}

/** HealthCheckRequest: `service` = 1. */
function serviceOf(request: Uint8Array): string | undefined {
  try {
    return textOf(request, 1);
  } catch {
    return undefined; // whatever it was, the client hears that it is no HealthCheckRequest
  }
}

function isServed(service: string, services: readonly string[]): boolean {
  return service === '' || services.includes(service);
}
