import { runProgram } from '@levada/test-peers/programs';
import { story } from './story.ts';

/** OTLP/gRPC, or OTLP/HTTP with protobuf. */
export type Transport = 'grpc' | 'http';

/** Where and how a sender sends. */
export interface Sending {
  readonly transport: Transport;
  readonly port: number;
  readonly gzip?: boolean;
  /** Path of the authority's certificate: sends over TLS. */
  readonly ca?: string;
  /** A bearer token. */
  readonly token?: string;
}

/** Signal to the error of its exporter; empty when all were delivered. */
export type FailedSignals = Readonly<Record<string, string>>;

/** Signals that the story has. */
export type StorySignal = keyof typeof story;

/** A program with the official exporters of a language. It exports the story once. */
export interface Sender {
  /** What it has exporters for. */
  readonly signals: readonly StorySignal[];
  readonly send: (sending: Sending) => Promise<FailedSignals>;
}

/** Runs `command ...args grpc|http`. All else the exporters read from the variables that OTLP has for it. */
export function senderOf(command: string, args: readonly string[], signals: readonly StorySignal[]): Sender {
  return {
    signals,
    send: async ({ transport, ...rest }) =>
      JSON.parse(
        await runProgram({ command, args: [...args, transport], env: environment(rest) }),
      ) as FailedSignals,
  };
}

function environment({
  port,
  gzip = false,
  ca,
  token,
}: Omit<Sending, 'transport'>): Readonly<Record<string, string>> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${ca === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    ...(gzip ? { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' } : {}),
    ...(ca === undefined ? {} : { OTEL_EXPORTER_OTLP_CERTIFICATE: ca }),
    ...(token === undefined ? {} : { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}` }),
  };
}

/** What it sends, by signal. */
export function sentBy({ signals }: Sender): Readonly<Record<string, unknown>> {
  return Object.fromEntries(signals.map((signal) => [signal, story[signal]]));
}
