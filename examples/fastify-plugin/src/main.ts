// node src/main.ts ws://feed.example/prices
import { websocketSource } from '@levada/source-websocket';
import { fastify } from 'fastify';
import { feedPlugin } from './feed-plugin.ts';

const app = fastify({ logger: true });
let latest: string | undefined;
await app.register(feedPlugin, {
  open: (logger) =>
    websocketSource({ url: process.argv[2] ?? 'ws://127.0.0.1:8765/', topic: 'prices', logger }),
  onValue: (value) => {
    latest = value;
  },
});
app.get('/latest', async () => ({ latest }));
await app.listen({ port: 3000 });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void app.close());
