import type { RecordForm } from '../model/queued-export.ts';
import { type SignalName, signalNames } from '../model/signals.ts';
import type { OtlpConfig } from './config.ts';

/** Settings that may change while the receivers run; a change applies to exports that arrive from then on. */
export interface LiveSettings {
  readonly topics: Readonly<Record<SignalName, string>>;
  readonly form: RecordForm;
  readonly mode: 'request' | 'resource' | 'item';
  /** Largest value of a record. */
  readonly maxRecordBytes: number;
  /** Whether strings must be UTF-8. */
  readonly strictUtf8: boolean;
  /** How an export that a full queue dropped is answered. */
  readonly fullAnswer: 'refuse' | 'accept';
  /** Milliseconds for which requests are held while the log takes nothing out of a full queue. */
  readonly fullGraceMs: number;
  /** Longest time for which one request is held, in milliseconds. */
  readonly maxHoldMs: number;
  /** In which the body of a request over HTTP has to be read: the time for which Node waits for it runs while it is held, too. */
  readonly requestMs: number;
}

/** The live part of a configuration. */
export function liveSettings(config: OtlpConfig): LiveSettings {
  return {
    topics: topicsOf(config),
    form: {
      encoding: encodingOf(config),
      key: config['otlp.record.key'] as RecordForm['key'],
      headers: config['record.headers.enabled'],
    },
    mode: config['otlp.record.mode'] as LiveSettings['mode'],
    maxRecordBytes: config['otlp.record.max.bytes'],
    strictUtf8: config['otlp.invalid.utf8'] === 'reject',
    fullAnswer: config['otlp.queue.full.answer'] as LiveSettings['fullAnswer'],
    fullGraceMs: config['otlp.queue.full.grace.ms'],
    maxHoldMs: config['otlp.ack.timeout.ms'],
    requestMs: config['otlp.http.request.timeout.ms'],
  };
}

function topicsOf(config: OtlpConfig): Readonly<Record<SignalName, string>> {
  const topics = signalNames.map((signal) => [signal, config[`platform.topic.${signal}`]] as const);
  return Object.fromEntries(topics) as Record<SignalName, string>;
}

/** What the values of records hold. */
export function encodingOf(config: OtlpConfig): RecordForm['encoding'] {
  if (config['otlp.message.format'] === 'json')
    return config['otlp.json.style'] === 'otlp' ? 'otlp_json' : 'legacy_json';
  return config['otlp.protobuf.encoding'] === 'base64' ? 'base64' : 'otlp_proto';
}
