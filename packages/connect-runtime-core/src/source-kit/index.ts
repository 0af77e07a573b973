// For sources: the queue, the reconnecting connection, gauges and health, the network and its files. Touches Node.
export type { Counter } from '../diagnostics/metric-group.ts';
export type { DropCause } from '../diagnostics/source-metrics.ts';
export {
  connectionMetrics,
  dropAttribute,
  dropCauses,
  sourceMetrics,
} from '../diagnostics/source-metrics.ts';
export { pointerValue } from '../text/json-pointer.ts';
export type { Printable } from '../text/printable.ts';
export { printable } from '../text/printable.ts';
export { RegularLine } from '../time/regular-line.ts';
export { issuesOf, issuesOfReading, refuseIssues, validateTogether } from './config-checks.ts';
export { ConnectionSettings } from './connection-settings.ts';
export type { DroppedMessages, IntakeOptions } from './intake.ts';
export { Intake, reportDropped } from './intake.ts';
export type { ClientTls, SslValues } from './key-store/ssl-stores.ts';
export { readSsl, sslProblems } from './key-store/ssl-stores.ts';
export { guardedLookup, isDeniedAddress } from './net/egress.ts';
export { hostName } from './net/host-name.ts';
export { isLoopback } from './net/no-proxy.ts';
export type { HttpProxy, ProxySettings, TunnelTarget } from './net/proxy.ts';
export { proxyFor, proxyProblems, tunnelTarget } from './net/proxy.ts';
export { proxyKeys } from './net/proxy-keys.ts';
export { readRegularFile } from './net/regular-file.ts';
export type { TlsAdvice } from './net/tls-failure.ts';
export { tlsFailure } from './net/tls-failure.ts';
export type { TlsFile } from './net/tls-files.ts';
export { readTlsFiles } from './net/tls-files.ts';
export { openTunnel, tunnelledConnection } from './net/tunnel.ts';
export { checkOffsetChanges } from './offset-changes.ts';
export type { BoundedQueueOptions } from './queue/bounded-queue.ts';
export { BoundedQueue } from './queue/bounded-queue.ts';
export type { HeldTimeOptions } from './queue/held-time.ts';
export { HeldTime, holdUpMetrics } from './queue/held-time.ts';
export type { HoldUpLimits, HoldUpOptions, HoldUpValues, QueueBounds } from './queue/hold-up.ts';
export { DEFAULT_GRACE_MS, HoldUp, holdUpEvents, holdUpLimits, MAX_GRACE_MS } from './queue/hold-up.ts';
export { OutputArena } from './queue/output-arena.ts';
export { reconnectKeys, reconnectPolicy } from './reconnect-keys.ts';
export { connectionEvents, HIGH_UTILIZATION, healthEvents } from './source-events.ts';
export type { ConnectionAttempt, EndedAttempt } from './supervised-connection.ts';
export { SupervisedConnection } from './supervised-connection.ts';
