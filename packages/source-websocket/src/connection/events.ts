import type { LogEventTable } from '@levada/connect-runtime-core';
import { connectionEvents, healthEvents, holdUpEvents } from '@levada/connect-runtime-core/source-kit';
import { sessionEvents } from '../session/session-events.ts';

/** Log events of a WebSocket connector's task. Names as its users' alert rules know them. */
export const webSocketEvents = {
  task_starting: {
    level: 'info',
    help: 'The task begins. Fields: `connector_name`, `websocket_url`, `platform_topic`.',
  },
  websocket_client_starting: {
    level: 'info',
    help: 'Connecting begins. Fields: `url`, `queue_capacity`, `connection_timeout_ms`, `reconnect_enabled`.',
  },
  websocket_client_started: {
    level: 'info',
    help: 'The client has started; it may not be connected yet. Fields: `url`.',
  },
  task_started: { level: 'info', help: 'The task is operating. Fields: `queue_capacity`.' },
  session_initialized: { level: 'info', help: 'A connection was made and has this session_id.' },
  websocket_opened: {
    level: 'info',
    help: 'The handshake succeeded. Fields: `url`, `response_code`, `subprotocol`.',
  },
  subscription_sent: {
    level: 'info',
    help: 'The subscription was handed to the connection; its text is never logged. Fields: `message_bytes`.',
  },
  subscription_rejected: {
    level: 'error',
    help: 'The server refused the subscription; reconnecting continues. Fields: `reason` (matched, not_acknowledged or closed), `close_code`, `close_reason`.',
  },
  ...sessionEvents,
  websocket_closing: {
    level: 'info',
    help: 'This side starts to close the connection. Fields: `code`, `reason`.',
  },
  websocket_closed: {
    level: 'info',
    help: 'The connection ended with a close frame. Fields: `code`, `reason`.',
  },
  websocket_failure: {
    level: 'error',
    help: 'A connection failed, or could not be made. Fields: `error_message`; `response_code` if the server answered.',
  },
  authorization_replaced: {
    level: 'warn',
    help: 'Several authorizations are configured; only the first of these is sent: token, headers, user info of the URL. Fields: `used`, `ignored`.',
  },
  proxy_used: {
    level: 'info',
    help: 'Connections go through a proxy. Fields: `url`, `proxy`, `source` (the configuration key or environment variable that names the proxy).',
  },
  tls_verification_off: {
    level: 'warn',
    help: 'The certificate of the server is not verified. Fields: `url`.',
  },
  ...connectionEvents,
  message_dropped: {
    level: 'warn',
    help: 'Messages were dropped. Fields: `reason`, `count`, `queue_size`, `queue_capacity`, `messages_dropped_total`.',
    everyMs: 1000,
  },
  unsupported_frame: {
    level: 'warn',
    help: 'Binary messages were dropped, because websocket.binary.mode is drop. Fields: `count`, `messages_dropped_total`.',
    everyMs: 60_000,
  },
  conversion_failed: {
    level: 'warn',
    help: 'A binary message could not be read as UTF-8 and was dropped. Fields: `message_bytes`.',
    everyMs: 60_000,
  },
  ...holdUpEvents,
  ...healthEvents,
  websocket_client_stopping: {
    level: 'info',
    help: 'The connection is being closed for good. Fields: `url`.',
  },
  websocket_client_stopped: {
    level: 'info',
    help: 'The connection is closed. Fields: `url`, `messages_received`, `messages_dropped`, `reconnect_attempts`.',
  },
  task_stopping: { level: 'info', help: 'The task was asked to stop. Fields: `queue_size`.' },
  task_stopped: {
    level: 'info',
    help: 'Intake has ended; what is queued is still handed out. Fields: `queue_size`.',
  },
} as const satisfies LogEventTable;
