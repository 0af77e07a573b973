import { varintField } from './encode-fields.ts';
import { framed } from './framed.ts';
import { fault, type GrpcStatus, grpcCodes } from './grpc-status.ts';
import { stringFields } from './read-fields.ts';
import type { StreamMethod } from './stream-call.ts';
import { REQUEST_MS } from './time-limits.ts';

/** HealthCheckResponse with each ServingStatus (https://github.com/grpc/grpc/blob/master/doc/health-checking.md). */
const responses = {
  serving: framed(varintField(1, 1)),
  notServing: framed(varintField(1, 2)),
  serviceUnknown: framed(varintField(1, 3)),
} as const;

const noRequest: GrpcStatus = fault('invalid', 'the message is no HealthCheckRequest').status;

/** `Check`: SERVING for the server as a whole (`""`) and for each of these services. */
export function checkHealth(services: readonly string[]): (request: Uint8Array) => Buffer | GrpcStatus {
  return (request) => {
    const service = serviceOf(request);
    if (service === undefined) return noRequest;
    if (isServed(service, services)) return responses.serving;
    return { code: grpcCodes.notFound, message: 'unknown service', retry: false };
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
  const fields = stringFields(request);
  return fields === undefined ? undefined : (fields.get(1) ?? '');
}

function isServed(service: string, services: readonly string[]): boolean {
  return service === '' || services.includes(service);
}
