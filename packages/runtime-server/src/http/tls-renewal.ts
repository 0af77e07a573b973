import type { Clock, EventLog } from '@levada/connect-runtime-core';
import type { RestTls } from '../config/rest-tls.ts';
import { FileWatch } from '../host/file-watch.ts';
import { type LoadedTls, loadRestTls, tlsFilesOf } from '../host/tls-files.ts';
import type { workerEvents } from '../telemetry/worker-events.ts';

export interface TlsRenewalOptions {
  readonly tls: RestTls;
  readonly clock: Clock;
  readonly log: EventLog<typeof workerEvents>;
}

/**
 * TLS of listeners that follows its files: what was read last counts for new connections, and those that are open stay. Files that cannot be used
 * change nothing, and are logged.
 */
export class TlsRenewal {
  readonly #options: TlsRenewalOptions;
  readonly #watch: FileWatch;
  readonly #uses: ((loaded: LoadedTls) => void)[] = [];
  #loaded: LoadedTls;

  private constructor(options: TlsRenewalOptions, loaded: LoadedTls) {
    this.#options = options;
    this.#loaded = loaded;
    const files = tlsFilesOf(options.tls);
    this.#watch = new FileWatch({ files, clock: options.clock, changed: () => this.#renew() });
  }

  /** Reads the files, and looks for changes from now on. Rejects with what {@link loadRestTls} rejects with. */
  static async start(options: TlsRenewalOptions): Promise<TlsRenewal> {
    const renewal = new TlsRenewal(options, loadRestTls(options.tls));
    await renewal.#watch.start();
    return renewal;
  }

  /** What was read last. */
  get loaded(): LoadedTls {
    return this.#loaded;
  }

  /** Calls back with everything that is read from now on. */
  onRenewal(use: (loaded: LoadedTls) => void): void {
    this.#uses.push(use);
  }

  stop(): void {
    this.#watch.stop();
  }

  #renew(): void {
    const { log, tls } = this.#options;
    const files = tlsFilesOf(tls).join(', ');
    try {
      this.#loaded = loadRestTls(tls);
      for (const use of this.#uses) use(this.#loaded);
      log('rest_tls_renewed', { files });
    } catch (error) {
      log('rest_tls_unusable', { files, error });
      throw error;
    }
  }
}
