import { reflectionPaths } from '@levada/grpc-wire';
import type { SchemaFile } from '../../model/otlp-schema.ts';
import { type SignalName, signals } from '../../model/signals.ts';
import { checkHealth, watchHealth } from './health.ts';
import { reflection } from './reflection.ts';
import type { StreamMethod } from './stream-call.ts';
import type { UnaryAnswer } from './unary-call.ts';

/** What can be called. */
export type Method =
  | { readonly kind: 'export'; readonly signal: SignalName }
  /** One small request, one answer, no token. */
  | { readonly kind: 'small'; readonly handle: (request: Uint8Array) => UnaryAnswer }
  /** Calls that last. `guard`: they are made only by clients whose exports of that signal are admitted. */
  | { readonly kind: 'stream'; readonly method: StreamMethod; readonly guard: SignalName | undefined };

/** The methods of a receiver by path: exports, health checks (grpc.health.v1), reflection (v1 and v1alpha). */
export function methodsOf(
  offered: ReadonlySet<SignalName>,
  files: readonly SchemaFile[],
): ReadonlyMap<string, Method> {
  const services = Array.from(offered, (signal) => signals[signal].service);
  const [guard] = offered;
  const reflect: Method = { kind: 'stream', method: reflection(services, files), guard };
  const methods = new Map<string, Method>([
    ['/grpc.health.v1.Health/Check', { kind: 'small', handle: checkHealth(services) }],
    ['/grpc.health.v1.Health/Watch', { kind: 'stream', method: watchHealth(services), guard: undefined }],
    ...reflectionPaths.map((path) => [path, reflect] as const),
  ]);
  for (const signal of offered) {
    methods.set(`/${signals[signal].service}/Export`, { kind: 'export', signal });
  }
  return methods;
}
