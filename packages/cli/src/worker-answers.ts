/** State of a connector or task, as a worker's REST interface answers it. */
export interface StateAnswer {
  readonly state?: string;
  readonly worker_id?: string;
  readonly trace?: string;
}

/** A connection, as `expand=connection` answers it. */
export interface ConnectionAnswer {
  readonly state?: string;
  readonly last_message_age_ms?: number;
  readonly last_error?: string;
  readonly attempt?: number;
  readonly next_try_in_ms?: number;
}

/** Status of a connector. */
export interface StatusAnswer {
  readonly name?: string;
  readonly type?: string;
  readonly connector?: StateAnswer;
  readonly tasks?: readonly (StateAnswer & { readonly id?: number })[];
  readonly connection?: ConnectionAnswer;
}

/** One entry of `GET /connectors?expand=...`. */
export interface ConnectorEntry {
  readonly status?: StatusAnswer;
  readonly info?: { readonly type?: string; readonly config?: Readonly<Record<string, string>> };
  readonly connection?: ConnectionAnswer;
}

/** A connection in a few words: `connected, last message 3 s ago`, `backing-off (attempt 4, next in 20 s: ECONNREFUSED)`. */
export function connectionText(connection: ConnectionAnswer | undefined): string {
  if (connection?.state === undefined) return '-';
  if (connection.state === 'connected') {
    const age = connection.last_message_age_ms;
    return age === undefined ? 'connected, no message yet' : `connected, last message ${seconds(age)} ago`;
  }
  const details = [
    connection.attempt === undefined ? undefined : `attempt ${connection.attempt}`,
    connection.next_try_in_ms === undefined ? undefined : `next in ${seconds(connection.next_try_in_ms)}`,
  ].filter((part) => part !== undefined);
  const text = details.length > 0 ? `${connection.state} (${details.join(', ')})` : connection.state;
  return connection.last_error === undefined ? text : `${text}: ${connection.last_error}`;
}

/** The first line of a trace. */
export function firstLine(text: string | undefined): string {
  return text?.split('\n', 1)[0] ?? '';
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
