import type {
  BodyForm,
  ExportIntake,
  ExportRequest,
  RequestHead,
} from '../src/receive/admission/export-intake.ts';
import { accepted, type ExportOutcome, type Refusal } from '../src/receive/admission/export-outcome.ts';

/** The scripted decisions of an intake. What has no function here is accepted. */
export interface IntakeScript {
  readonly admit?: (head: RequestHead) => Refusal | undefined;
  readonly hold?: (bytes: number) => boolean;
  readonly take?: (body: Uint8Array) => ExportOutcome | Promise<ExportOutcome>;
}

/** An intake that does what a test says, and writes down what it is asked. */
export interface ScriptedIntake extends ExportIntake {
  readonly heads: readonly RequestHead[];
  /** Copies of what was taken. */
  readonly taken: readonly { readonly body: Buffer; readonly form: BodyForm }[];
  /** The most that each request reserved, in order of admission. */
  readonly held: readonly number[];
  readonly early: readonly Refusal[];
  /** Requests that are not released. */
  readonly open: number;
  /** The most that were open at once. */
  readonly peak: number;
}

/** Throws when a request is released or submitted twice: that is what no receiver may do. */
export function scriptedIntake(script: IntakeScript = {}): ScriptedIntake {
  const heads: RequestHead[] = [];
  const taken: { body: Buffer; form: BodyForm }[] = [];
  const held: number[] = [];
  const early: Refusal[] = [];
  let open = 0;
  let peak = 0;

  function request(): ExportRequest {
    const index = held.push(0) - 1;
    let calls = 0;
    let released = false;
    open += 1;
    peak = Math.max(peak, open);
    return {
      waitForRoom: () => undefined,
      reserve: (bytes) => {
        held[index] = Math.max(held[index] ?? 0, bytes);
        return script.hold?.(bytes) ?? true;
      },
      submit: (body, form) => {
        calls += 1;
        if (calls > 1 || released) throw new Error('taken twice, or after the release');
        taken.push({ body: Buffer.from(body), form });
        return script.take?.(body) ?? accepted;
      },
      release: () => {
        if (released) throw new Error('released twice');
        released = true;
        open -= 1;
      },
    };
  }

  return {
    heads,
    taken,
    held,
    early,
    get open() {
      return open;
    },
    get peak() {
      return peak;
    },
    admit: (head) => {
      heads.push(head);
      return script.admit?.(head) ?? request();
    },
    countRefusal: (refusal) => early.push(refusal),
  };
}
