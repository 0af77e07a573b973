import type { SecureContextOptions } from 'node:tls';
import type { ConfigDef } from '../config/config-def.ts';
import type { ConfigKey, ParsedConfig } from '../config/config-key.ts';
import type { TaskContext } from '../contract/task-context.ts';
import { type ConfigIssue, ConnectorError } from '../diagnostics/connector-error.ts';
import type { EventLog } from '../diagnostics/log-event.ts';
import type { Clock } from '../time/clock.ts';
import { readTlsFiles, type TlsFile } from './net/tls-files.ts';
import type { connectionEvents } from './source-events.ts';

/** Longest time that resolving references may take. */
const RESOLVE_MS = 10_000;

export interface ConnectionSettingsOptions<Rows extends readonly ConfigKey[]> {
  readonly definition: ConfigDef<Rows>;
  readonly config: ParsedConfig<Rows>;
  readonly context: Pick<TaskContext, 'clock' | 'resolveConfig'>;
  readonly log: EventLog<typeof connectionEvents>;
  /** The TLS files that a configuration names. */
  readonly tlsFiles: (config: ParsedConfig<Rows>) => readonly TlsFile[];
  /** Rules over several keys; a configuration that breaks one is not used. */
  readonly problems: (config: ParsedConfig<Rows>) => readonly ConfigIssue[];
}

/** The configuration that the next connection is made by, and its TLS files. */
export class ConnectionSettings<Rows extends readonly ConfigKey[]> {
  readonly #options: ConnectionSettingsOptions<Rows>;
  #config: ParsedConfig<Rows>;
  #tls: SecureContextOptions;

  /** Reads the TLS files; throws when they cannot be read. */
  constructor(options: ConnectionSettingsOptions<Rows>) {
    this.#options = options;
    this.#config = options.config;
    this.#tls = readTlsFiles(options.tlsFiles(options.config));
  }

  get config(): ParsedConfig<Rows> {
    return this.#config;
  }

  get tls(): SecureContextOptions {
    return this.#tls;
  }

  /** Values that hold from now on, or from the next connection on. */
  reconfigure(config: ParsedConfig<Rows>): void {
    this.#config = config;
  }

  /**
   * Secrets and certificates may have been replaced: resolves references and reads files again. When that fails, everything
   * stays as it was, and the failure is logged. Ends with the signal; never rejects.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    const { log, definition, tlsFiles } = this.#options;
    try {
      const resolved = await this.#resolved(signal);
      const tls = readTlsFiles(tlsFiles(resolved));
      this.#config = { ...resolved, ...liveValues(definition, this.#config) };
      this.#tls = tls;
    } catch (thrown) {
      if (signal.aborted) return;
      log('credentials_unresolved', { error_message: ConnectorError.from(thrown).message });
    }
  }

  async #resolved(signal: AbortSignal): Promise<ParsedConfig<Rows>> {
    const { definition, context, problems } = this.#options;
    const { resolveConfig, clock } = context;
    if (resolveConfig === undefined) return this.#config;
    const resolved = definition.parse(await withinTime(resolveConfig(), clock, signal));
    const [first] = problems(resolved);
    if (first !== undefined) throw new ConnectorError('config_invalid', first.message);
    return resolved;
  }
}

/** The values that may have changed since the task was started: those of keys whose change needs no new task. */
function liveValues<Rows extends readonly ConfigKey[]>(
  definition: ConfigDef<Rows>,
  config: ParsedConfig<Rows>,
): Partial<ParsedConfig<Rows>> {
  const live = definition.keys.filter(({ update = 'restart' }) => update !== 'restart');
  const entries = live.map(({ name }) => [name, config[name as keyof ParsedConfig<Rows>]]);
  return Object.fromEntries(entries) as Partial<ParsedConfig<Rows>>;
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
