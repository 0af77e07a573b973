// npm run build && node dist/main.js wss://feed.example/prices localhost:9092
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { priceModule } from './price-module.ts';

const [feed = 'ws://127.0.0.1:8765/', broker = 'localhost:9092'] = process.argv.slice(2);
const app = await NestFactory.create(priceModule(feed, [broker]));
// Without this Nest does not close its providers on SIGTERM.
app.enableShutdownHooks();
await app.listen(3000);
