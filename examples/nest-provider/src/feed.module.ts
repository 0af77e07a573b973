import type { SourceHandle } from '@levada/connect-runtime-core';
import * as nest from '@nestjs/common';

/** What is done with each value, in order, one at a time. What it throws ends the feed, and shows in `/ready`. */
type OnValue = (value: string) => Promise<void> | void;

/** A source that lives with the application: read from its start, closed when it shuts down. */
export class Feed implements nest.OnApplicationBootstrap, nest.OnApplicationShutdown {
  readonly source: SourceHandle;
  readonly #onValue: OnValue;
  #reading: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(source: SourceHandle, onValue: OnValue) {
    this.source = source;
    this.#onValue = onValue;
  }

  /** Does not wait for the peer: until it is there, `/ready` says so. */
  onApplicationBootstrap(): void {
    this.#reading = this.#read().catch((thrown: Error) => {
      this.#failure = thrown;
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.source.close({ timeoutMs: 3000 });
    await this.#reading;
  }

  health() {
    if (this.#failure !== undefined) return { status: 'down', reason: this.#failure.message };
    return this.source.health();
  }

  async #read(): Promise<void> {
    for await (const { value } of this.source.text()) await this.#onValue(value);
  }
}

@nest.Controller()
class ReadyController {
  @nest.Inject(Feed) readonly feed!: Feed;

  @nest.Get('ready')
  ready() {
    const health = this.feed.health();
    if (health.status !== 'up') throw new nest.ServiceUnavailableException(health);
    return health;
  }
}

/** The feed as a provider of an application, with its health at `/ready`. `open` makes the source. */
export function feedModule(open: () => SourceHandle, onValue: OnValue): nest.DynamicModule {
  const providers = [{ provide: Feed, useFactory: () => new Feed(open(), onValue) }];
  return { module: class FeedModule {}, providers, controllers: [ReadyController], exports: [Feed] };
}
