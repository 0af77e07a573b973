import { createInflater, type Inflater } from '@levada/grpc-wire';
import { ResetBudgets } from '../../http2/guard/reset-budgets.ts';
import { usualLimits } from '../../http2/session/settings.ts';
import type { OtlpSchema } from '../../model/otlp-schema.ts';
import type { Refusal } from '../admission/export-outcome.ts';
import type { Receiver, ReceiverOptions } from '../admission/receiver.ts';
import { callHeaders } from './call-head.ts';
import { listen } from './grpc-listener.ts';
import { GrpcReceiver } from './grpc-receiver.ts';
import { methodsOf } from './methods.ts';

export interface GrpcReceiverOptions extends ReceiverOptions {
  /** What reflection serves. */
  readonly schema: OtlpSchema;
  /** A refusal as it is answered to a client that speaks HTTP/1 on this port. */
  readonly answerHttp1: (refusal: Refusal) => string;
  /** Default: one of its own. One that both receivers share bounds the memory of both. */
  readonly inflater?: Inflater;
}

/**
 * Listens for OTLP over gRPC (https://opentelemetry.io/docs/specs/otlp/#otlpgrpc), with health checks, which need no token, and
 * reflection, which needs what an export needs to be admitted. Rejects with
 * the system's error when the address cannot be bound, with Node's when the certificate is not usable, and leaves nothing open then.
 */
export async function openGrpcReceiver(options: GrpcReceiverOptions): Promise<Receiver> {
  const { clock, signals, schema, includedHeaders, inflater = createInflater(), onError } = options;
  const receiver = new GrpcReceiver({
    clock,
    inflater,
    target: options,
    methods: methodsOf(signals, schema.files()),
    resets: new ResetBudgets(),
    limits: { ...usualLimits, keptHeaders: callHeaders, includedHeaders },
  });
  const listener = await listen(options, {
    onSocket: (socket) => receiver.accept(socket),
    onReady: (socket) => receiver.serve(socket),
    onError,
  });
  receiver.attach(listener);
  return receiver;
}
