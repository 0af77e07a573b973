import type {
  BodyForm,
  ExportIntake,
  ExportRequest,
  RequestHead,
} from '../src/receive/admission/export-intake.ts';
import { accepted, type ExportOutcome, type Refusal } from '../src/receive/admission/export-outcome.ts';

/** One export as a scripted intake saw it. */
export interface SeenExport {
  readonly head: RequestHead;
  /** What was held, in turn. */
  readonly held: number[];
  /** Undefined until it is taken. */
  body: Uint8Array | undefined;
  form: BodyForm | undefined;
  releases: number;
}

/** An intake that answers as scripted, and records what it received. */
export interface ScriptedIntake extends ExportIntake {
  readonly seen: SeenExport[];
  /** What was refused without its help. */
  readonly countRefusal: ExportIntake['countRefusal'];
  readonly early: Refusal[];
  /** Refuses heads; undefined admits them. */
  onAdmit: (head: RequestHead) => Refusal | undefined;
  onHold: (bytes: number) => boolean;
  onTake: (body: Uint8Array, form: BodyForm) => ExportOutcome | Promise<ExportOutcome>;
}

/** Accepts everything by default. */
export function createScriptedIntake(): ScriptedIntake {
  const intake: ScriptedIntake = {
    seen: [],
    early: [],
    onAdmit: () => undefined,
    onHold: () => true,
    onTake: () => accepted,
    countRefusal: (refusal) => void intake.early.push(refusal),
    admit: (head) => intake.onAdmit(head) ?? request(intake, head),
  };
  return intake;
}

function request(intake: ScriptedIntake, head: RequestHead): ExportRequest {
  const one: SeenExport = { head, held: [], body: undefined, form: undefined, releases: 0 };
  intake.seen.push(one);
  return {
    waitForRoom: () => undefined,
    reserve(bytes) {
      one.held.push(bytes);
      return intake.onHold(bytes);
    },
    submit(body, form) {
      if (one.body !== undefined) throw new Error('an export was taken twice');
      one.body = Uint8Array.from(body);
      one.form = form;
      return intake.onTake(body, form);
    },
    release() {
      one.releases++;
    },
  };
}
