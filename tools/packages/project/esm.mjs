import { wireToJson } from '@levada/protobuf-tables';
import { grpcSource } from '@levada/source-grpc';
import { otlpSource } from '@levada/source-otlp';
import { websocketSource } from '@levada/source-websocket';
import * as compiler from '@levada/stream-project-compiler';
import * as compilerForNode from '@levada/stream-project-compiler/node';
import { checkCompiler } from './check-compiler.mjs';
import { readGrpc } from './read-grpc.mjs';
import { readWebSocket } from './read-websocket.mjs';
import { receiveOtlp } from './receive-otlp.mjs';

await readWebSocket(websocketSource);
await readGrpc(grpcSource, wireToJson);
await receiveOtlp(otlpSource);
await checkCompiler(compiler, compilerForNode);
