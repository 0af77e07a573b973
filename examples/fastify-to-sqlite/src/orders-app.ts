import { DatabaseSync } from 'node:sqlite';
import type { SourceHealth } from '@levada/connect-runtime-core';
import { type GrpcOptions, grpcSource } from '@levada/source-grpc';
import { fastify } from 'fastify';

/** What is read. The method has a field in its request that says where to resume. */
export type Feed = Omit<GrpcOptions, 'topic'> & Required<Pick<GrpcOptions, 'resume'>>;

/**
 * An application that keeps a stream of orders in a table and serves it. A batch and the place after it are one transaction: killed at
 * any moment, the next run has every order once.
 */
export function ordersApp(feed: Feed, file: string, logger = true) {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY CHECK (only = 1), offset TEXT NOT NULL)`);
  const addOrder = database.prepare('INSERT INTO orders (body) VALUES (?)');
  const setPlace = database.prepare('INSERT OR REPLACE INTO place VALUES (1, ?)');
  const place = database.prepare('SELECT offset FROM place').get();
  const ordersAfter = database.prepare('SELECT id, body FROM orders WHERE id > ? ORDER BY id LIMIT 100');

  const app = fastify({ logger });
  const source = grpcSource({
    ...feed,
    topic: 'orders',
    logger: app.log,
    offsets: { offset: async () => (place === undefined ? undefined : JSON.parse(String(place['offset']))) },
  });

  let health = (): SourceHealth => source.health();
  const read = async (): Promise<void> => {
    for await (const batch of source.text().batches({ max: 500 })) {
      database.exec('BEGIN');
      try {
        for (const { value } of batch) addOrder.run(value);
        setPlace.run(JSON.stringify(batch.at(-1)?.sourceOffset));
        database.exec('COMMIT');
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK');
      }
    }
  };
  const reading = read().catch((error: Error) => {
    app.log.error(error, 'the feed has ended');
    health = () => ({ status: 'down', reason: error.message });
  });

  app.get('/ready', (_, reply) => reply.code(health().status === 'up' ? 200 : 503).send(health()));
  app.get<{ Querystring: { after?: number } }>('/orders', (request) =>
    ordersAfter.all(request.query.after ?? 0).map(({ id, body }) => ({ ...JSON.parse(String(body)), id })),
  );
  app.addHook('onClose', async () => {
    await source.close({ timeoutMs: 2000 });
    await reading;
    database.close();
  });
  return app;
}
