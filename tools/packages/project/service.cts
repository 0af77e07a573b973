import { type ConnectorError, pipe } from '@levada/connect-runtime-core';
import { each } from '@levada/connect-runtime-core/sinks';
import { grpcSource } from '@levada/source-grpc';
import { otlpSource } from '@levada/source-otlp';
import { websocketSource } from '@levada/source-websocket';
import { compile, type Diagnostic } from '@levada/stream-project-compiler';
import { nodeFileSystem } from '@levada/stream-project-compiler/node';

const source = websocketSource({ url: 'wss://feed.example', topic: 'prices' });
export const run = pipe(
  source.json<{ price: number }>().limit(3),
  each(({ value }) => value.price.toFixed(2)),
);
export const status: number = run.status().RecordsProduced;
// @ts-expect-error there is no such option
websocketSource({ url: 'wss://feed.example', topic: 'prices', colour: 'red' });
export const others = [grpcSource.fromConfig, otlpSource, compile, nodeFileSystem] as const;
export const problems: { readonly ours: ConnectorError[]; readonly found: Diagnostic[] } = {
  ours: [],
  found: [],
};
