import { Agent, request } from 'node:http';
import { grpcClient, retryDelay } from '@levada/test-peers/otlp';
import { onTestFinished } from 'vitest';
import type { OtlpPorts } from './otlp-connector.ts';
import { numberedExport, type Signal } from './otlp-numbered.ts';

export const transports = ['grpc', 'http/protobuf', 'http/json'] as const;

export type Transport = (typeof transports)[number];

export interface ExportResult {
  /**
   * `success`; `refused`: answered with another status; `unanswered`: sent, as far as is known, and no answer came;
   * `unreachable`: there was no connection to send it over.
   */
  readonly kind: 'success' | 'refused' | 'unanswered' | 'unreachable';
  /** HTTP status or gRPC code; NaN without an answer. */
  readonly code: number;
  /** Seconds after which the receiver wants to be asked again; NaN when it did not say. */
  readonly retryAfter: number;
  /** Monotonic milliseconds from the attempt to its end. */
  readonly ms: number;
}

/** A client of both receivers. */
export interface OtlpClient {
  send(transport: Transport, signal: Signal, id: string): Promise<ExportResult>;
}

export interface OtlpClientOptions {
  /** Most connections over HTTP. Default: 32. */
  readonly maxSockets?: number;
  /** Deadline of an attempt in milliseconds, which gRPC sends to the receiver. Default: 10,000, as in the SDKs. */
  readonly timeoutMs?: number;
}

const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

/** Connects when there is something to send; closed after the test. */
export function otlpClient(
  ports: OtlpPorts,
  { maxSockets = 32, timeoutMs = 10_000 }: OtlpClientOptions = {},
): OtlpClient {
  const grpc = grpcClient(ports.grpc, {
    // A receiver that was restarted is found again at once.
    channel: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 100 },
  });
  const agent = new Agent({ keepAlive: true, maxSockets });
  onTestFinished(() => agent.destroy());

  const overGrpc = async (signal: Signal, id: string): Promise<Omit<ExportResult, 'ms'>> => {
    const deadline = Date.now() + timeoutMs;
    const { protobuf } = numberedExport(signal, id);
    // It throws once it is closed.
    const result = await grpc.export(signal, protobuf, { deadline }).catch(() => undefined);
    if (result === undefined) return failed('No connection established');
    const { code, details, trailers } = result;
    if (code === 0) return { kind: 'success', code, retryAfter: Number.NaN };
    // The client gives some of its own failures codes of answers.
    const [status] = trailers.get('grpc-status-details-bin');
    if (status !== undefined) return { kind: 'refused', code, retryAfter: retryDelay(Buffer.from(status)) };
    if (code === DEADLINE_EXCEEDED || (code === UNAVAILABLE && isOfNetwork(details))) return failed(details);
    return { kind: 'refused', code, retryAfter: Number.NaN };
  };

  return {
    send: async (transport, signal, id) => {
      const began = performance.now();
      const result =
        transport === 'grpc'
          ? await overGrpc(signal, id)
          : await post({ agent, port: ports.http, timeoutMs }, { transport, signal, id });
      return { ...result, ms: performance.now() - began };
    },
  };
}

/** What grpc-js says when it is it that gives up. */
function isOfNetwork(details: string): boolean {
  return /^(No connection established|Connection dropped|read E|write E|Stream )/.test(details);
}

function failed(why: string): Omit<ExportResult, 'ms'> {
  const kind = /ECONNREFUSED|No connection established/.test(why) ? 'unreachable' : 'unanswered';
  return { kind, code: Number.NaN, retryAfter: Number.NaN };
}

interface Posting {
  readonly agent: Agent;
  readonly port: number;
  readonly timeoutMs: number;
}

interface Posted {
  readonly transport: Exclude<Transport, 'grpc'>;
  readonly signal: Signal;
  readonly id: string;
}

function post(
  { agent, port, timeoutMs }: Posting,
  { transport, signal, id }: Posted,
): Promise<Omit<ExportResult, 'ms'>> {
  const { json, protobuf } = numberedExport(signal, id);
  const body = transport === 'http/json' ? Buffer.from(json) : protobuf;
  const type = transport === 'http/json' ? 'application/json' : 'application/x-protobuf';
  return new Promise((resolve) => {
    const giveUp = (error: Error): void => resolve(failed(error.message));
    const sent = request({
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/v1/${signal}`,
      headers: { 'content-type': type, 'content-length': body.length },
      signal: AbortSignal.timeout(timeoutMs),
    });
    sent.on('error', giveUp);
    sent.on('response', (response) => {
      response.on('error', giveUp).resume();
      response.on('end', () => {
        const code = response.statusCode ?? Number.NaN;
        const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
        resolve({ kind: code === 200 ? 'success' : 'refused', code, retryAfter });
      });
    });
    sent.end(body);
  });
}
