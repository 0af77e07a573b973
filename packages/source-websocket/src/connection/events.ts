import type { LogEventTable } from '@levada/connect-runtime-core';
import { connectionEvents, healthEvents } from '@levada/connect-runtime-core/source-kit';

/** Log events of a WebSocket connector's task. Names as its users' alert rules know them. */
export const webSocketEvents = {
  task_starting: { level: 'info', help: 'The task begins: connector_name, websocket_url, platform_topic' },
  websocket_client_starting: {
    level: 'info',
    help: 'Connecting begins: url, queue_capacity, connection_timeout_ms, reconnect_enabled',
  },
  websocket_client_started: {
    level: 'info',
    help: 'The client is under way; it may not be connected yet: url',
  },
  task_started: { level: 'info', help: 'The task is operating: queue_capacity' },
  session_initialized: { level: 'info', help: 'A connection was made and has this session_id' },
  websocket_opened: { level: 'info', help: 'The handshake succeeded: url, response_code, subprotocol' },
  subscription_sent: {
    level: 'info',
    help: 'The subscription was handed to the connection: message_bytes (never its text)',
  },
  subscription_rejected: {
    level: 'error',
    help: 'The server refused the subscription: reason (matched, not_acknowledged, closed), close_code, close_reason; reconnecting continues',
  },
  websocket_closing: { level: 'info', help: 'This side starts to close the connection: code, reason' },
  websocket_closed: { level: 'info', help: 'The connection ended with a close frame: code, reason' },
  websocket_failure: {
    level: 'error',
    help: 'A connection failed, or was not made: error_message, and response_code when the server answered',
  },
  authorization_replaced: {
    level: 'warn',
    help: 'Several authorizations are configured; only the first of token, headers, user info of the URL is sent: used, ignored',
  },
  proxy_used: {
    level: 'info',
    help: 'Connections go through a proxy: url, proxy, source (the key or the environment variable that names it)',
  },
  tls_verification_off: { level: 'warn', help: 'The certificate of the server is not verified: url' },
  ...connectionEvents,
  message_dropped: {
    level: 'warn',
    help: 'Messages were dropped: reason, count, queue_size, queue_capacity, messages_dropped_total',
    everyMs: 1000,
  },
  unsupported_frame: {
    level: 'warn',
    help: 'Binary messages were dropped, because websocket.binary.mode is drop: count, messages_dropped_total',
    everyMs: 60_000,
  },
  conversion_failed: {
    level: 'warn',
    help: 'A binary message could not be read as UTF-8 and was dropped: message_bytes',
    everyMs: 60_000,
  },
  ...healthEvents,
  websocket_client_stopping: { level: 'info', help: 'The connection is being closed for good: url' },
  websocket_client_stopped: {
    level: 'info',
    help: 'The connection is closed: url, messages_received, messages_dropped, reconnect_attempts',
  },
  task_stopping: { level: 'info', help: 'The task was asked to stop: queue_size' },
  task_stopped: { level: 'info', help: 'Intake has ended; what is queued is still handed out: queue_size' },
} as const satisfies LogEventTable;
