import type { GrpcConfig } from '../config/config.ts';
import type { WaitingMessage } from '../model/waiting-message.ts';
import { type JsonLimits, jsonDocument, jsonLimits, type PointedText, pointedText } from './json-document.ts';
import type { RestoredOffset } from './restored-offset.ts';

/** The position that the next request resumes after: that of the last message received, else what an earlier run committed. */
export class ResumePoint {
  /** Whether requests say where to resume. */
  readonly enabled: boolean;
  /** Where in a message that is; undefined when its number counts, or nothing is to be resumed. */
  readonly pointed: PointedText | undefined;
  readonly #restored: RestoredOffset | undefined;
  readonly #limits: JsonLimits;
  /** The newest that is known to say it, by the number of its message. */
  #point: { readonly sequence: number; readonly text: string } | undefined;
  #last: WaitingMessage | undefined;

  constructor(config: GrpcConfig, restored: RestoredOffset | undefined) {
    const from = config['grpc.request.resume.from'];
    this.enabled = config['grpc.request.resume.field'] !== null;
    this.pointed = this.enabled && from !== 'sequence' ? pointedText(from) : undefined;
    this.#restored = restored;
    this.#limits = jsonLimits(config['grpc.max.inbound.message.size']);
  }

  /** The position in a message, here as JSON, that the next request could resume after; undefined when it has none. */
  textOf(sequence: number, document: unknown): string | undefined {
    const text = this.pointed?.(document);
    // Fields that are not set are in the JSON with their defaults.
    if (text === undefined || text === '' || text === '0') return undefined;
    if (this.#point === undefined || this.#point.sequence < sequence) this.#point = { sequence, text };
    return text;
  }

  /** A message was received and not dropped. */
  accepted(message: WaitingMessage): void {
    this.#last = message;
  }

  /** The value for the request's field, when `sequence` was the last number; undefined while there is nothing to resume after. */
  value(sequence: number): string | number | undefined {
    if (!this.enabled) return undefined;
    if (this.pointed === undefined)
      return sequence > 0 || this.#restored !== undefined ? sequence : undefined;
    if (this.#last !== undefined) this.textOf(this.#last.sequence, documentOf(this.#last, this.#limits));
    return this.#point?.text ?? this.#restored?.resume;
  }
}

/** Undefined for a message that cannot be converted: that is reported where its record is made. */
function documentOf({ stamp, value }: WaitingMessage, limits: JsonLimits): unknown {
  try {
    return jsonDocument(stamp.session.definition.converter.convert(value), limits);
  } catch {
    return undefined;
  }
}
