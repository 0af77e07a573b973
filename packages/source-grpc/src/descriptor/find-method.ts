import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import { nearest } from '@levada/connect-runtime-core/config';
import { keyProblem } from './invalid-descriptor.ts';
import { checkTypeChain } from './type-chain.ts';

/** How the kinds of methods are called. */
const kinds = {
  unary: 'unary',
  client_streaming: 'client-streaming',
  bidi_streaming: 'bidirectional-streaming',
} as const;

/** A method by the full name of its service and its own name, both case sensitive. Throws when there is none, or when it is not server-streaming. */
export function findMethod(registry: FileRegistry, service: string, method: string): DescMethod {
  const found = registry.getService(service);
  if (found === undefined) {
    const known = [...registry].flatMap((type) => (type.kind === 'service' ? [type.typeName] : []));
    throw serviceNotFound(service, known);
  }
  const called = found.methods.find(({ name }) => name === method);
  if (called === undefined) {
    const near = nearest(
      method,
      found.methods.map(({ name }) => name),
    );
    const message = `Method not found in service ${service}: ${method}${hint(near)}`;
    throw keyProblem('grpc.method.name', message);
  }
  if (called.methodKind !== 'server_streaming') {
    const message = `Method is not server-streaming: ${service}/${method} is ${kinds[called.methodKind]}`;
    throw keyProblem('grpc.method.name', message);
  }
  checkTypeChain(called.input);
  checkTypeChain(called.output);
  return called;
}

/** The error of a service that is not there, with the name of one that is near, or that has the name in another package. */
export function serviceNotFound(service: string, known: readonly string[]): Error {
  const near = nearest(service, known) ?? known.find((name) => name.endsWith(`.${service}`));
  return keyProblem('grpc.service.name', `Service not found in descriptor: ${service}${hint(near)}`);
}

function hint(near: string | undefined): string {
  return near === undefined ? '' : `, did you mean "${near}"?`;
}
