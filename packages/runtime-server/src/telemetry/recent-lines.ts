import type { Clock } from '@levada/connect-runtime-core';
import type { LogLevel } from '@levada/connect-runtime-core/host';
import { type LogLine, type LogSink, plainText } from './log-line.ts';
import { lineValues } from './log-sinks.ts';

/** Most lines that are kept, and most characters in all of them. */
const MAX_LINES = 1000;
const MAX_CHARACTERS = 1_000_000;

interface KeptLine {
  readonly number: number;
  readonly level: LogLevel;
  /** The connector that it is about, if any. */
  readonly connector: string | undefined;
  /** JSON. */
  readonly text: string;
}

/** Which lines are asked for. */
export interface LineQuery {
  /** Only lines after the one with this number. */
  readonly after: number;
  /** Only those about this connector. */
  readonly connector?: string | undefined;
  /** Only those of this level or above. */
  readonly level?: LogLevel | undefined;
  /** At most so many, the last ones. */
  readonly last?: number | undefined;
}

/** An answer to a {@link LineQuery}. */
export interface FoundLines {
  /** When the first line was kept, in milliseconds since 1970: another value is another run of the worker. */
  readonly since: number;
  /** Number of the last line, also when it was not asked for. Numbers begin with 1. */
  readonly last: number;
  /** Lines after the one asked for that are not kept any more. */
  readonly lost: number;
  readonly lines: readonly object[];
}

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * The last log lines of a worker, for clients that cannot read its output. Keeps at most 1000 lines of at most 1,000,000 characters
 * together; older ones are dropped.
 */
export class RecentLines {
  readonly #since: number;
  readonly #lines: KeptLine[] = [];
  #characters = 0;
  #last = 0;

  constructor(clock: Clock) {
    this.#since = clock.now();
  }

  /** Keeps a line. */
  readonly sink: LogSink = (line) => {
    const { connector } = line.fields;
    this.#last += 1;
    const text = jsonOf(line);
    this.#lines.push({
      number: this.#last,
      level: line.level,
      connector: typeof connector === 'string' ? connector : undefined,
      text,
    });
    this.#characters += text.length;
    while (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#lines.shift()?.text.length ?? 0;
    }
  };

  /** The lines that fit, each with its `number`. */
  read({ after, connector, level = 'debug', last = MAX_LINES }: LineQuery): FoundLines {
    const first = this.#lines[0]?.number ?? this.#last + 1;
    const found = this.#lines.filter(
      (line) =>
        line.number > after &&
        ranks[line.level] >= ranks[level] &&
        (connector === undefined || line.connector === connector),
    );
    return {
      since: this.#since,
      last: this.#last,
      lost: Math.max(0, first - 1 - after),
      lines: found
        .slice(Math.max(0, found.length - last))
        .map(({ number, text }) => ({ ...(JSON.parse(text) as object), number })),
    };
  }
}

function jsonOf(line: LogLine): string {
  const { level, message } = line;
  const text = (values: object): string =>
    JSON.stringify({ level, ...values, ...(message === undefined ? {} : { msg: plainText(message) }) });
  try {
    return text(lineValues(line));
  } catch {
    // A field that has no JSON must not keep the rest of the line away.
    return text(lineValues({ ...line, fields: {} }));
  }
}
