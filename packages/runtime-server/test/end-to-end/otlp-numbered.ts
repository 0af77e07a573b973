/** The signals that have a topic each by default. */
export const threeSignals = ['traces', 'metrics', 'logs'] as const;

export type Signal = (typeof threeSignals)[number];

/** One export with an id of its own, as the two forms that clients send. */
export interface NumberedExport {
  readonly protobuf: Buffer;
  /** OTLP/JSON, equal to the text of its record. */
  readonly json: string;
}

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';
const START = 1_544_712_660_000_000_001n;
const END = 1_544_712_661_000_000_002n;

/** An export of one span, one sum with one data point, or one log record; the id is its name or body. */
export function numberedExport(signal: Signal, id: string): NumberedExport {
  return makers[signal](id);
}

/** The id in a record. Throws when there is none. */
export function exportId(value: string): string {
  const id = /"(?:name|stringValue)":"([^"]+)"/.exec(value)?.[1];
  if (id === undefined) throw new Error(`no export of ours: ${value.slice(0, 200)}`);
  return id;
}

const makers: Readonly<Record<Signal, (id: string) => NumberedExport>> = {
  traces: (name) => ({
    protobuf: inScope(
      Buffer.concat([
        bytes(1, Buffer.from(TRACE_ID, 'hex')),
        bytes(2, Buffer.from(SPAN_ID, 'hex')),
        bytes(5, Buffer.from(name)),
        integer(6, 2),
        fixed64(7, START),
        fixed64(8, END),
      ]),
    ),
    json: JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: TRACE_ID,
                  spanId: SPAN_ID,
                  name,
                  kind: 2,
                  startTimeUnixNano: String(START),
                  endTimeUnixNano: String(END),
                },
              ],
            },
          ],
        },
      ],
    }),
  }),
  metrics: (name) => ({
    protobuf: inScope(
      Buffer.concat([
        bytes(1, Buffer.from(name)),
        bytes(
          7,
          Buffer.concat([
            bytes(1, Buffer.concat([fixed64(3, START), fixed64(6, 7n)])),
            integer(2, 2),
            integer(3, 1),
          ]),
        ),
      ]),
    ),
    json: JSON.stringify({
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                {
                  name,
                  sum: {
                    dataPoints: [{ timeUnixNano: String(START), asInt: '7' }],
                    aggregationTemporality: 2,
                    isMonotonic: true,
                  },
                },
              ],
            },
          ],
        },
      ],
    }),
  }),
  logs: (text) => ({
    protobuf: inScope(bytes(5, bytes(1, Buffer.from(text)))),
    json: JSON.stringify({
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: text } }] }] }],
    }),
  }),
};

/** The field numbers are the same in all signals. */
function inScope(item: Uint8Array): Buffer {
  return bytes(1, bytes(2, bytes(2, item)));
}

function bytes(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(content.length)]), content]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.from([field << 3, ...varint(value)]);
}

function fixed64(field: number, value: bigint): Buffer {
  const buffer = Buffer.alloc(9);
  buffer[0] = (field << 3) | 1;
  buffer.writeBigUInt64LE(value, 1);
  return buffer;
}

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
