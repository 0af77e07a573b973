import { grpcSource } from '@levada/source-grpc';
import { websocketSource } from '@levada/source-websocket';
import { wireToJson } from '@levada/wire-json';
import { readGrpc } from './read-grpc.mjs';
import { readWebSocket } from './read-websocket.mjs';

await readWebSocket(websocketSource);
await readGrpc(grpcSource, wireToJson);
