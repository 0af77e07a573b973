export type { WebSocketConfig, WebSocketOptions } from './config/config.ts';
export { webSocketSourceConnector, websocketSource } from './connector.ts';
