import type { GrpcConfig } from './config.ts';
import { type PointedText, pointedText } from './pointed-text.ts';
import type { RestoredOffset } from './restored-offset.ts';
import type { StreamIntake } from './stream-intake.ts';

const decoder = new TextDecoder();

/** Knows what the next request goes on behind: what was received last, else what an earlier run left. */
export class ResumePoint {
  /** Where in a message that is; undefined when its number counts, or nothing is to be resumed. */
  readonly pointed: PointedText | undefined;
  readonly #enabled: boolean;
  readonly #restored: RestoredOffset | undefined;
  readonly #intake: StreamIntake;
  #last: string | undefined;

  constructor(config: GrpcConfig, restored: RestoredOffset | undefined, intake: StreamIntake) {
    const from = config['grpc.request.resume.from'];
    this.#enabled = config['grpc.request.resume.field'] !== null;
    this.pointed = this.#enabled && from !== 'sequence' ? pointedText(from) : undefined;
    this.#restored = restored;
    this.#intake = intake;
    this.#last = restored?.resume;
  }

  /** The value for the request's field; undefined while there is nothing to go on behind. */
  value(): string | number | undefined {
    if (!this.#enabled) return undefined;
    if (this.pointed !== undefined) return this.#pointed(this.pointed);
    const { sequence } = this.#intake;
    return sequence > 0 || this.#restored !== undefined ? sequence : undefined;
  }

  /** Of a message without the field, or that cannot be read, the one before it counts. */
  #pointed(pointed: PointedText): string | undefined {
    const message = this.#intake.lastAccepted;
    if (message === undefined) return this.#last;
    try {
      const json = decoder.decode(message.stamp.session.definition.converter.convert(message.value));
      this.#last = pointed(JSON.parse(json)) ?? this.#last;
    } catch {
      // what cannot be converted is told where records are made
    }
    return this.#last;
  }
}
