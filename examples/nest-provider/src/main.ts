// npm run build && node dist/main.js ws://feed.example/prices
import 'reflect-metadata';
import { websocketSource } from '@levada/source-websocket';
import { NestFactory } from '@nestjs/core';
import { feedModule } from './feed.module.ts';
import { nestLogger } from './nest-logger.ts';

const url = process.argv[2] ?? 'ws://127.0.0.1:8765/';
const open = () => websocketSource({ url, topic: 'prices', logger: nestLogger('prices') });
const app = await NestFactory.create(feedModule(open, (value) => console.log(value)));
// Without this Nest does not close its providers on SIGTERM.
app.enableShutdownHooks();
await app.listen(3000);
