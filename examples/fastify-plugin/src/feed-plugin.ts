import type { SourceHandle } from '@levada/connect-runtime-core';
import type { FastifyBaseLogger } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/** What is read, and what is done with it. */
export interface FeedPluginOptions {
  /** Makes the source, which logs through the application. */
  readonly open: (logger: FastifyBaseLogger) => SourceHandle;
  /** Called with each value in order, one at a time. What it throws ends the feed, and shows in `/ready`. */
  readonly onValue: (value: string) => Promise<void> | void;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly feed: SourceHandle;
  }
}

/** A source that lives with the application: read once it is ready, closed with it, its health at `/ready`. */
export const feedPlugin = fastifyPlugin<FeedPluginOptions>(
  async (app, { open, onValue }) => {
    const feed = open(app.log);
    let failure: Error | undefined;
    let reading = Promise.resolve();
    const read = async (): Promise<void> => {
      for await (const { value } of feed.text()) await onValue(value);
    };
    app.decorate('feed', feed);
    // The application does not wait for the peer: until it is there, /ready says so.
    app.addHook('onReady', async () => {
      reading = read().catch((thrown: Error) => {
        failure = thrown;
        app.log.error(thrown, 'the feed has ended');
      });
    });
    app.addHook('onClose', async () => {
      await feed.close({ timeoutMs: 3000 });
      await reading;
    });
    app.get('/ready', async (_, reply) => {
      const health = failure === undefined ? feed.health() : { status: 'down', reason: failure.message };
      return reply.code(health.status === 'up' ? 200 : 503).send(health);
    });
  },
  { name: 'feed', fastify: '5.x' },
);
