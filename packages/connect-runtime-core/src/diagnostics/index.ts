// For code that needs errors and nothing else, such as a thread whose memory counts: the contract loads ten times as much.

export type { ConfigIssue, ConnectorErrorOptions } from './connector-error.ts';
export { ConnectorError, isConnectorError } from './connector-error.ts';
export type { ErrorCode } from './error-codes.ts';
export type { ConnectorErrorJson, ErrorCauseJson } from './error-json.ts';
