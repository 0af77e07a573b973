export type { WebSocketConfig, WebSocketOptions } from './config.ts';
export { webSocketSourceConnector } from './connector.ts';
export { websocketSource } from './websocket-source.ts';
