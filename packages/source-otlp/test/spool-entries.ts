/** What an entry of a writer says. */
export interface NumberedEntry {
  readonly run: number;
  readonly writer: number;
  readonly number: number;
}

/** An entry that differs from all others, of a size that varies. */
export function numberedEntry(entry: NumberedEntry): Uint8Array {
  const line = `${entry.run} ${entry.writer} ${entry.number}\n`;
  return Buffer.from(line.repeat(1 + ((entry.number * 37 + entry.writer) % 100)), 'latin1');
}

/** What an entry says; undefined when it is not exactly one of {@link numberedEntry}. */
export function readNumberedEntry(bytes: Uint8Array): NumberedEntry | undefined {
  const text = Buffer.from(bytes).toString('latin1');
  const [run = -1, writer = -1, number = -1] = text.slice(0, text.indexOf('\n')).split(' ').map(Number);
  const entry = { run, writer, number };
  return Buffer.compare(numberedEntry(entry), bytes) === 0 ? entry : undefined;
}

/** How many entries a writer appends together when the first of them has this number. */
export function appendedTogether({ writer, number }: Omit<NumberedEntry, 'run'>): number {
  return 1 + ((number + writer) % 3);
}
