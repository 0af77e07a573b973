import { pipe, type Run } from '@levada/connect-runtime-core';
import { kafkajsSink } from '@levada/connect-runtime-core/sinks';
import { websocketSource } from '@levada/source-websocket';
import * as nest from '@nestjs/common';
import { Kafka, type Producer } from 'kafkajs';

/** The producer that the service has anyway. It is connected with the application, and disconnected as the last thing. */
export class ServiceProducer implements nest.OnModuleInit, nest.OnApplicationShutdown {
  readonly producer: Producer;

  constructor(brokers: readonly string[]) {
    this.producer = new Kafka({ brokers: [...brokers] }).producer();
  }

  onModuleInit = (): Promise<void> => this.producer.connect();
  onApplicationShutdown = (): Promise<void> => this.producer.disconnect();
}

/** Writes a feed of prices to the topic of that name from the start of the application to its end. */
export class PriceFeed implements nest.OnApplicationBootstrap, nest.BeforeApplicationShutdown {
  readonly #start: () => Run;
  #run: Run | undefined;

  constructor(url: string | URL, { producer }: ServiceProducer) {
    const source = websocketSource({ url, topic: 'prices', reconnect: { intervalMs: 1000 } });
    this.#start = () => pipe(source, kafkajsSink(producer));
  }

  onApplicationBootstrap(): void {
    this.#run = this.#start();
  }

  /** Everything received is written while the producer is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#run?.close({ timeoutMs: 5000 });
  }

  health = () => this.#run?.health() ?? { status: 'down', reason: 'not started' };
}

@nest.Controller()
class ReadyController {
  @nest.Inject(PriceFeed) readonly feed!: PriceFeed;

  @nest.Get('ready')
  ready() {
    if (this.feed.health().status === 'up') return this.feed.health();
    throw new nest.ServiceUnavailableException(this.feed.health());
  }
}

export function priceModule(url: string | URL, brokers: readonly string[]): nest.DynamicModule {
  const feed = (service: ServiceProducer): PriceFeed => new PriceFeed(url, service);
  const providers = [
    { provide: ServiceProducer, useFactory: () => new ServiceProducer(brokers) },
    { provide: PriceFeed, useFactory: feed, inject: [ServiceProducer] },
  ];
  return { module: class PriceModule {}, providers, controllers: [ReadyController], exports: providers };
}
