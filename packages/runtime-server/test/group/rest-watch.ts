/** An answer that no client should get. */
export interface BadAnswer {
  readonly request: string;
  readonly status: number;
  readonly text: string;
}

/** Asks all workers for lists and statuses, one request after the other, and keeps answers that are faults of a server. */
export class RestWatch {
  /** 503 is an answer while the broker is away, and only then. */
  brokerIsAway = false;
  answers = 0;
  readonly bad: BadAnswer[] = [];
  readonly #urls: () => readonly string[];
  readonly #running: Promise<void>;
  #ended = false;

  constructor(urls: () => readonly string[]) {
    this.#urls = urls;
    this.#running = this.#run();
  }

  end(): Promise<void> {
    this.#ended = true;
    return this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#ended) {
      for (const url of this.#urls()) {
        for (const path of ['/connectors', '/connectors?expand=status&expand=info'])
          await this.#ask(url + path);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #ask(url: string): Promise<void> {
    const wasAway = this.brokerIsAway;
    // A worker that was killed or frozen meanwhile does not answer; that is no fault of a server.
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response === undefined || text === undefined) return;
    this.answers += 1;
    const { status } = response;
    const allowed = status < 500 || (status === 503 && (wasAway || this.brokerIsAway));
    if (!allowed) this.bad.push({ request: url, status, text });
  }
}
