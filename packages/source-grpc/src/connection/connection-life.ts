import type { Clock, MetricGroup } from '@levada/connect-runtime-core';
import type { StatusName } from '@levada/grpc-wire';
import type { ConnectionPlan } from '../config/connection-plan.ts';
import { endpointText } from '../model/endpoints.ts';
import type { GrpcStatus } from '../model/grpc-status.ts';
import type { grpcMetrics } from '../model/metrics.ts';

/** A stream that lived this long was healthy, even when it was silent. The supervisor's measure, too. */
const HEALTHY_MS = 30_000;

/** What is known of one connection, from the attempt to its end. Of two the later one is told what arrives. */
export class ConnectionLife {
  readonly plan: ConnectionPlan;
  /** How its call ended, or reflection before it; undefined while it has not, or when none was made. */
  status: GrpcStatus | undefined;
  readonly #clock: Clock;
  readonly #metrics: MetricGroup<typeof grpcMetrics>;
  readonly #receivedBefore: number;
  #opened = false;
  #startedAt: number | undefined;

  constructor(plan: ConnectionPlan, clock: Clock, metrics: MetricGroup<typeof grpcMetrics>) {
    this.plan = plan;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#receivedBefore = metrics.read('MessagesReceived');
  }

  /** Calls can be made. */
  open(): void {
    this.#opened = true;
  }

  /** The call was made. */
  start(): void {
    this.#startedAt = this.#clock.monotonic();
  }

  get wasStarted(): boolean {
    return this.#startedAt !== undefined;
  }

  /** Status of its call; UNAVAILABLE when the server was not reached. Undefined when no call was made after that. */
  get statusCode(): StatusName | undefined {
    return this.#opened ? this.status?.code : 'UNAVAILABLE';
  }

  /** Host and port, as configured. */
  get server(): string {
    return endpointText(this.plan.channel.endpoint);
  }

  /** Messages that it brought. */
  get received(): number {
    return this.#metrics.read('MessagesReceived') - this.#receivedBefore;
  }

  /** A server that greets and ends at once is not healthy, so that attempts keep getting rarer. */
  isHealthy(intervalMs: number): boolean {
    if (this.#startedAt === undefined) return false;
    const livedMs = this.#clock.monotonic() - this.#startedAt;
    return livedMs >= HEALTHY_MS || (livedMs > intervalMs && this.received > 0);
  }

  /** A call that was refused before anything came was never a connection to those who look at the log. */
  wasRefused(intervalMs: number): boolean {
    const isAnswer = this.status !== undefined && this.status.source !== 'local' && this.status.code !== 'OK';
    return isAnswer && this.received === 0 && !this.isHealthy(intervalMs);
  }
}
