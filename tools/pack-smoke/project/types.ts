import { websocketSource } from '@levada/source-websocket';

await using source = websocketSource({ url: 'wss://feed.example/prices', topic: 'prices' });
source.on('reconnecting', (event) => {
  const attempt: number = event.attempt;
  process.stdout.write(`attempt ${attempt}\n`);
});
for await (const record of source) {
  const topic: string = record.topic;
  process.stdout.write(`${topic}\n`);
}

// @ts-expect-error the url is required
websocketSource({ topic: 'prices' });
// @ts-expect-error not an option
websocketSource({ url: 'wss://feed.example', topic: 'prices', queSize: 1 });
