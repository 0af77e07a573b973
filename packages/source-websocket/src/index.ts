export type { WebSocketConfig } from './config/config.ts';
export type { WebSocketOptions } from './config/gen/options.ts';
export { webSocketSourceConnector, websocketSource } from './connector.ts';
