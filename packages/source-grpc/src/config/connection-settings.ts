import type { SecureContextOptions } from 'node:tls';
import { type Clock, ConnectorError, type EventLog, type TaskContext } from '@levada/connect-runtime-core';
import { readTlsFiles } from '@levada/connect-runtime-core/net';
import type { grpcEvents } from '../model/events.ts';
import { type GrpcConfig, grpcConfig } from './config.ts';
import { configProblems } from './rules.ts';
import { liveValues } from './run-settings.ts';
import { tlsFiles } from './tls-files.ts';

/** Longest time that resolving references may take. */
const RESOLVE_MS = 10_000;

/** The configuration that the next connection is made by, and its TLS files. */
export class ConnectionSettings {
  readonly #context: TaskContext;
  readonly #log: EventLog<typeof grpcEvents>;
  #config: GrpcConfig;
  #tls: SecureContextOptions;

  /** Reads the TLS files; throws when they cannot be read. */
  constructor(config: GrpcConfig, context: TaskContext, log: EventLog<typeof grpcEvents>) {
    this.#context = context;
    this.#log = log;
    this.#config = config;
    this.#tls = readTlsFiles(tlsFiles(config));
  }

  get config(): GrpcConfig {
    return this.#config;
  }

  get tls(): SecureContextOptions {
    return this.#tls;
  }

  /** Values that hold from the next connection on. */
  reconfigure(config: GrpcConfig): void {
    this.#config = config;
  }

  /**
   * Secrets and certificates may have been replaced: resolves references and reads files anew. What cannot be had leaves all
   * of it as it was, and is logged. Ends with the signal.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    try {
      const resolved = await this.#resolved(signal);
      const tls = readTlsFiles(tlsFiles(resolved));
      this.#config = { ...resolved, ...liveValues(this.#config) };
      this.#tls = tls;
    } catch (thrown) {
      if (signal.aborted) return;
      this.#log('credentials_unresolved', { error_message: ConnectorError.from(thrown).message });
    }
  }

  async #resolved(signal: AbortSignal): Promise<GrpcConfig> {
    const { resolveConfig, clock } = this.#context;
    if (resolveConfig === undefined) return this.#config;
    const resolved = grpcConfig.parse(await withinTime(resolveConfig(), clock, signal));
    const [first] = configProblems(resolved);
    if (first !== undefined) throw new ConnectorError('config_invalid', first.message);
    return resolved;
  }
}

/** The promise's outcome, unless it takes too long or the signal aborts. What comes later is ignored. */
async function withinTime<T>(promise: Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new ConnectorError('aborted', 'wait was cancelled'));
  const timer = clock.after(RESOLVE_MS, () => {
    reject(new ConnectorError('timeout', `references were not resolved within ${RESOLVE_MS} ms`));
  });
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, cut]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', abort);
  }
}
