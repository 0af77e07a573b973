import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  decodeAnswer,
  decodeQuestion,
  encodeAnswer,
  encodeQuestion,
  type Question,
} from './reflection.ts';
import { encodeFields, textOf } from './wire-fields.ts';

const questions = fc.record<Question>({
  kind: fc.constantFrom(
    'fileByFilename',
    'fileContainingSymbol',
    'allExtensionNumbersOfType',
    'listServices',
  ),
  text: fc.string({ unit: 'grapheme' }),
});
const answers = fc.oneof<fc.Arbitrary<Answer>[]>(
  fc.record({ kind: fc.constant('files'), files: fc.array(fc.uint8Array()) }),
  fc.record({
    kind: fc.constant('services'),
    names: fc.array(fc.string({ unit: 'grapheme', minLength: 1 })),
  }),
  fc.record({ kind: fc.constant('error'), code: fc.nat(16), message: fc.string({ unit: 'grapheme' }) }),
);

describe('messages of reflection', () => {
  it('the server reads reflection requests of the client', () => {
    fc.assert(
      fc.property(questions, (question) => {
        expect(decodeQuestion(encodeQuestion(question))).toEqual(question);
      }),
    );
  });

  it('the client reads reflection responses of the server, with the original request', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const request = encodeQuestion({ kind: 'listServices', text: '*' });
        const response = encodeAnswer(answer, request);
        expect(decodeAnswer(response)).toEqual(answer);
        expect(textOf(response, 2)).toBe(Buffer.from(request).toString());
      }),
    );
  });

  it('reflection messages without known content are undefined', () => {
    expect(decodeQuestion(encodeFields([[1, 'host']]))).toBeUndefined();
    expect(decodeAnswer(encodeFields([[1, 'host']]))).toBeUndefined();
  });

  it('bytes that are not a reflection message throw', () => {
    const broken = Uint8Array.of(0x22, 0xff);
    expect(() => decodeQuestion(broken)).toThrow('premature EOF');
    expect(() => decodeAnswer(broken)).toThrow('premature EOF');
  });
});
