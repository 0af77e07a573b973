import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAssignment, decodeMetadata, encodeAssignment, encodeMetadata } from './connect-protocol.ts';
import { noWork } from './work.ts';

const member = { url: 'http://127.0.0.1:8083/', configOffset: 5, allocation: undefined };
const assignment = {
  configMatches: true,
  leader: 'connect-1-f00',
  leaderUrl: 'http://127.0.0.1:8084/',
  configOffset: 7,
  assigned: { connectors: new Set(['a', 'b-1']), tasks: new Set(['a-0', 'a-1', 'b-1-0']) },
  revoked: { connectors: new Set<string>(), tasks: new Set(['c-3']) },
  delayMs: 60_000,
};

describe('the messages of a Connect group', () => {
  it('the metadata of a member is encoded as by a Java worker', () => {
    expect(encodeMetadata(2, member).toString('hex')).toBe(
      '00020016687474703a2f2f3132372e302e302e313a383038332f0000000000000005ffffffff',
    );
    expect(encodeMetadata(0, member).toString('hex')).toBe(
      '00000016687474703a2f2f3132372e302e302e313a383038332f0000000000000005',
    );
  });

  it.each([0, 1, 2])('encoded metadata of version %i is decoded unchanged', (version) => {
    expect(decodeMetadata(encodeMetadata(version, member))).toEqual(member);
  });

  it('metadata that is too short, has no URL or has a negative version is refused', () => {
    const whole = encodeMetadata(2, member);
    expect(() => decodeMetadata(whole.subarray(0, 20))).toThrow(RangeError);
    expect(() => decodeMetadata(Buffer.from('0002ffff0000000000000005', 'hex'))).toThrow('no URL');
    expect(() => decodeMetadata(Buffer.from('ffff0001610000000000000005', 'hex'))).toThrow('version -1');
  });

  it('an empty assignment has an eager and a cooperative form', () => {
    const empty = {
      ...assignment,
      leader: 'm',
      leaderUrl: 'u',
      assigned: noWork,
      revoked: noWork,
      delayMs: 0,
    };
    expect(encodeAssignment(0, empty).toString('hex')).toBe(
      '0000' + '0000' + '00016d' + '000175' + '0000000000000007' + '00000000',
    );
    expect(encodeAssignment(2, empty).toString('hex')).toBe(
      '0002' + '0000' + '00016d' + '000175' + '0000000000000007' + '00000000' + '00000000' + '00000000',
    );
  });

  it('a connector is encoded as task -1, before its tasks', () => {
    const assigned = { connectors: new Set(['a']), tasks: new Set(['a-0', 'b-1-2']) };
    expect(
      encodeAssignment(0, { ...assignment, leader: '', leaderUrl: '', assigned })
        .toString('hex')
        .slice(32),
    ).toBe(
      '00000002' + '000161' + '00000002' + 'ffffffff' + '00000000' + '0003622d31' + '00000001' + '00000002',
    );
  });

  it.each([1, 2])('an encoded allocation of version %i is decoded unchanged', (version) => {
    const metadata = { ...member, allocation: assignment };
    expect(decodeMetadata(encodeMetadata(version, metadata))).toEqual(metadata);
    expect(decodeAssignment(encodeAssignment(version, { ...assignment, configMatches: false }))).toEqual({
      ...assignment,
      configMatches: false,
    });
  });

  it('an empty allocation, null arrays and missing last fields mean no work', () => {
    expect(
      decodeMetadata(Buffer.from('0002000161000000000000000500000000', 'hex')).allocation,
    ).toBeUndefined();
    expect(decodeMetadata(Buffer.from('000200016100000000000000' + '05', 'hex')).allocation).toBeUndefined();
    const head = '00010000' + '00016d' + '000175' + '0000000000000007';
    expect(decodeAssignment(Buffer.from(`${head}ffffffff`, 'hex'))).toMatchObject({
      assigned: noWork,
      revoked: noWork,
      delayMs: 0,
    });
  });

  it('all other bytes are refused with a RangeError', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => {
        const changed = encodeMetadata(2, { ...member, allocation: assignment });
        changed[at % changed.length] = byte;
        return changed;
      }),
    );
    const failureOf = (decode: (input: Buffer) => unknown, input: Uint8Array): unknown => {
      try {
        decode(Buffer.from(input));
        return undefined;
      } catch (error) {
        return error;
      }
    };
    const property = fc.property(bytes, (input) => {
      const failures = [decodeMetadata, decodeAssignment].map((decode) => failureOf(decode, input));
      expect(failures.filter((error) => error !== undefined && !(error instanceof RangeError))).toEqual([]);
    });
    fc.assert(property, { numRuns: 5_000 });
  });
});
