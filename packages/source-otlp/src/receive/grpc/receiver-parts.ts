import type { Clock } from '@levada/connect-runtime-core';
import type { Inflater } from '@levada/grpc-wire';
import type { ResetBudgets } from '../../http2/guard/reset-budgets.ts';
import type { SessionLimits } from '../../http2/session/settings.ts';
import type { ExportTarget } from './export-method.ts';
import type { Method } from './methods.ts';
import type { GrpcReceiverOptions } from './open-grpc-receiver.ts';

/** Shared by all connections of a receiver. */
export interface ReceiverParts {
  readonly clock: Clock;
  readonly target: ExportTarget &
    Pick<
      GrpcReceiverOptions,
      'onConnectionFailure' | 'elsewhere' | 'http2' | 'connectionAge' | 'answerHttp1'
    >;
  readonly inflater: Inflater;
  /** By path. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly resets: ResetBudgets;
  readonly limits: SessionLimits;
}
