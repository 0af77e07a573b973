import type { SecureContextOptions } from 'node:tls';
import { type ProxySettings, proxyFor, tunnelTarget } from '@levada/connect-runtime-core/source-kit';
import { parseCloseCodes } from '../config/close-codes.ts';
import type { WebSocketConfig } from '../config/config.ts';
import { proxySettings } from '../config/config-checks.ts';
import { type HandshakeHeaders, handshakeHeaders } from '../config/handshake-headers.ts';
import { matchRule } from '../config/match-rule.ts';
import { querySecrets, redactUrl } from '../config/redact-url.ts';
import { sessionPlan } from '../config/session-plan.ts';
import type { SocketOptions } from './socket.ts';

/** The part of a connection's options that follows from the configuration alone. */
export type ConnectionPlan = Omit<
  SocketOptions,
  'clock' | 'log' | 'onOpen' | 'onMessage' | 'lastMessageAt' | 'sessionContext'
> &
  Pick<HandshakeHeaders, 'authorization' | 'ignored'>;

/** How often the interval is waited after a close code that asks for patience. */
const SLOW_STEPS = 4;

/** Shorter texts of a message are names of operations and channels, which explain a refusal. */
const MIN_MESSAGE_SECRET = 16;

/** What to connect to and how. `tls` are the files, read before; `environment` is where proxies may be named. */
export function connectionPlan(
  config: WebSocketConfig,
  {
    tls,
    environment,
  }: { readonly tls: SecureContextOptions; readonly environment: ProxySettings['environment'] },
): ConnectionPlan {
  const url = new URL(config['websocket.url']);
  const headers = handshakeHeaders({
    token: config['websocket.auth.token'],
    text: config['websocket.headers'],
    named: config['websocket.headers.'],
    userInfo: userInfo(url),
  });
  url.username = '';
  url.password = '';
  const target = tunnelTarget(url);
  const servername = config['websocket.tls.servername'];
  return {
    url,
    target,
    shownUrl: redactUrl(config['websocket.url']),
    ...headers,
    proxy: proxyFor(target, proxySettings(config, environment)),
    subprotocols: config['websocket.subprotocols'],
    tls: {
      ...tls,
      rejectUnauthorized: config['websocket.tls.verify'],
      ...(servername === null ? {} : { servername }),
    },
    compression: config['websocket.compression'],
    maxMessageBytes: config['websocket.max.message.size'],
    connectTimeoutMs: config['websocket.connection.timeout.ms'],
    pingIntervalMs: config['websocket.ping.interval.ms'],
    pingTimeoutMs: config['websocket.ping.timeout.ms'],
    idleTimeoutMs: config['websocket.idle.timeout.ms'],
    subscription: config['websocket.subscription.message'] || undefined,
    subscriptionRules: {
      ack: optionalRule(config['websocket.subscription.ack.match']),
      reject: optionalRule(config['websocket.subscription.reject.match']),
      timeoutMs: config['websocket.subscription.ack.timeout.ms'],
    },
    close: {
      failCodes: codes(config['websocket.close.codes.fail']),
      slowCodes: codes(config['websocket.close.codes.slow']),
      slowRetryMs: config['websocket.reconnect.interval.ms'] * SLOW_STEPS,
    },
    session: sessionPlan(config),
    secrets: secretsOf(config),
  };
}

function userInfo(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  return `${decoded(url.username)}:${decoded(url.password)}`;
}

function optionalRule(text: string | null) {
  return text === null ? undefined : matchRule(text);
}

function codes(texts: readonly string[]) {
  const parsed = parseCloseCodes(texts);
  return typeof parsed === 'string' ? [] : parsed;
}

/** Texts that must not come back to light through what a peer says. */
function secretsOf(config: WebSocketConfig): readonly string[] {
  const url = new URL(config['websocket.url']);
  const headers = handshakeHeaders({
    token: null,
    text: config['websocket.headers'],
    named: config['websocket.headers.'],
    userInfo: undefined,
  });
  const token = config['websocket.auth.token']?.reveal() ?? '';
  return [
    token,
    url.password,
    decoded(url.password),
    ...querySecrets(config['websocket.url']),
    ...Object.values(headers.headers),
    ...sentTexts(config).flatMap(messageSecrets),
  ];
}

function sentTexts(config: WebSocketConfig): readonly string[] {
  const texts = [
    config['websocket.subscription.message'],
    ...config['websocket.handshake.<n>.message'].values(),
    ...config['websocket.control.<n>.reply'].values(),
    config['websocket.heartbeat.message'],
    config['websocket.renewal.message'],
    config['websocket.sequence.replay.message'],
    config['websocket.sequence.resume.message'],
  ];
  return texts.filter((text) => text !== null);
}

/** A message as it is written, and every long text in it when it is JSON: servers like to quote what they refuse. */
function messageSecrets(text: string): readonly string[] {
  const texts = [text];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' && value.length >= MIN_MESSAGE_SECRET) texts.push(value);
      return value;
    });
  } catch {
    // not JSON: it is a secret as a whole
  }
  return texts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a broken escape: what is written is meant
  }
}
