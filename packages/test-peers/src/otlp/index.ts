export type { CallResult, GrpcClient } from './grpc-client.ts';
export { grpcClient, retryDelay } from './grpc-client.ts';
export { exportRequest, http2Request, http2Session } from './grpc-http2-client.ts';
export type { PostAnswer } from './post-export.ts';
export { logSaying, postExport, spanName, spanNamed, sumNamed } from './post-export.ts';
export type { RawAnswer, RawClient } from './raw-http-client.ts';
export { rawClient, requestText } from './raw-http-client.ts';
