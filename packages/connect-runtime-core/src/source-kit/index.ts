// For sources: the queue, the reconnecting connection, gauges and health, the network and its files. Touches Node.
export type { ConnectionState } from '../contract/connection-state.ts';
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
export type { GaugeSources } from './connection-gauges.ts';
export { connectionSnapshot, freezeGauges, observeGauges } from './connection-gauges.ts';
export { HIGH_UTILIZATION, healthEvents } from './health-events.ts';
export { HealthLine } from './health-line.ts';
export type { DroppedMessages, IntakeOptions } from './intake.ts';
export { Intake } from './intake.ts';
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
export type { BoundedQueueOptions } from './queue/bounded-queue.ts';
export { BoundedQueue } from './queue/bounded-queue.ts';
export { OutputArena } from './queue/output-arena.ts';
export { reconnectKeys } from './reconnect-keys.ts';
export { RegularLine } from './regular-line.ts';
export type { ConnectionHooks, ReconnectPolicy } from './supervise.ts';
export { supervise } from './supervise.ts';
