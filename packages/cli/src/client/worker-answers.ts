/** State of a connector or task, as a worker's REST interface answers it. */
export interface StateAnswer {
  readonly state?: string;
  readonly worker_id?: string;
  readonly trace?: string;
}

/** The connection of one task, as `expand=connection` answers it; null for what there is none of. */
export interface ConnectionAnswer {
  readonly task: number;
  readonly state: string;
  readonly last_message_age_ms: number | null;
  readonly held_up_ms: number | null;
  readonly last_error: string | null;
  readonly attempt: number | null;
  readonly next_try_in_ms: number | null;
  /** Absent from workers before this field. */
  readonly log?: 'ok' | 'throttled' | 'away';
}

/** Status of a connector. */
export interface StatusAnswer {
  readonly name?: string;
  readonly type?: string;
  readonly connector?: StateAnswer;
  readonly tasks?: readonly (StateAnswer & { readonly id?: number })[];
  readonly connection?: readonly ConnectionAnswer[];
}

/** One entry of `GET /connectors?expand=...`. */
export interface ConnectorEntry {
  readonly status?: StatusAnswer;
  readonly info?: { readonly type?: string; readonly config?: Readonly<Record<string, string>> };
  readonly connection?: readonly ConnectionAnswer[];
}

/** Connections in a few words: `connected, last message 3.0 s ago`, `backing-off (attempt 4, next in 20 s): ECONNREFUSED`. */
export function connectionText(connections: readonly ConnectionAnswer[] | undefined): string {
  return connections === undefined || connections.length === 0
    ? '-'
    : connections.map(oneConnection).join('; ');
}

/** Under a flood connections are held up for moments all the time. */
const LONG_MS = 1000;

function oneConnection(connection: ConnectionAnswer): string {
  const { state, last_message_age_ms: age, attempt, next_try_in_ms: next, last_error: error } = connection;
  if (state === 'connected') {
    const last = age === null ? 'connected, no message yet' : `connected, last message ${seconds(age)} ago`;
    const { held_up_ms: heldUp } = connection;
    return heldUp === null || heldUp < LONG_MS
      ? last
      : `${last}, not read for ${seconds(heldUp)} because the queue is full`;
  }
  const details = [
    attempt === null ? undefined : `attempt ${attempt}`,
    next === null ? undefined : `next in ${seconds(next)}`,
  ].filter((part) => part !== undefined);
  const text = details.length > 0 ? `${state} (${details.join(', ')})` : state;
  return error === null ? text : `${text}: ${error}`;
}

/** The first line of a trace, without the package of its class and the list of all plugins that follows an unknown class. */
export function firstLine(text: string | undefined): string {
  const line = text?.split('\n', 1)[0]?.split(', available connectors are')[0] ?? '';
  return line.replace(/^(?:[a-z]\w*\.)+(?=[A-Z])/, '');
}

/**
 * Problems of a configuration, one for each wrong value: Kafka Connect also validates null in place of a value that it could not read.
 */
export function withoutRepeats(problems: readonly string[]): readonly string[] {
  return problems.filter((problem, at) => {
    const key = /^Invalid value null for configuration (\S+): /.exec(problem)?.[1];
    return (
      key === undefined || !problems.slice(0, at).some((one) => one.includes(` for configuration ${key}: `))
    );
  });
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** What a worker of ours says that storing a configuration would do: `validate?expand=update`. */
export interface UpdateAnswer {
  readonly effect: string;
  readonly changed: readonly { readonly name: string; readonly update: string }[];
}

/** Answer of `validate`. */
export interface ValidationAnswer {
  readonly error_count?: number;
  readonly configs?: readonly {
    readonly value?: { readonly name?: string; readonly errors?: readonly string[] };
  }[];
}
