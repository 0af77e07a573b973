export type { WebSocketConfig } from './config/config.ts';
export type {
  WebSocketCloseCodesOptions,
  WebSocketControlOptions,
  WebSocketHandshakeOptions,
  WebSocketHeartbeatOptions,
  WebSocketOptions,
  WebSocketPingOptions,
  WebSocketProxyOptions,
  WebSocketReconnectOptions,
  WebSocketRenewalOptions,
  WebSocketSequenceOptions,
  WebSocketSubscriptionOptions,
  WebSocketTlsOptions,
} from './config/gen/options.ts';
export { webSocketSourceConnector, websocketSource } from './connector.ts';
