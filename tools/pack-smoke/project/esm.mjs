import { grpcSource } from '@levada/source-grpc';
import { otlpSource } from '@levada/source-otlp';
import { websocketSource } from '@levada/source-websocket';
import { wireToJson } from '@levada/wire-json';
import { readGrpc } from './read-grpc.mjs';
import { readWebSocket } from './read-websocket.mjs';
import { receiveOtlp } from './receive-otlp.mjs';

await readWebSocket(websocketSource);
await readGrpc(grpcSource, wireToJson);
await receiveOtlp(otlpSource);
