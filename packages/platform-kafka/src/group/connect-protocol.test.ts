import { describe, expect, it } from 'vitest';
import { decodeMetadata, encodeAssignment, encodeMetadata } from './connect-protocol.ts';

const member = { url: 'http://127.0.0.1:8083/', configOffset: 5 };

describe('the messages of a Connect group', () => {
  it('writes the metadata of a member as a Java worker does', () => {
    expect(encodeMetadata(2, member).toString('hex')).toBe(
      '00020016687474703a2f2f3132372e302e302e313a383038332f0000000000000005ffffffff',
    );
    expect(encodeMetadata(0, member).toString('hex')).toBe(
      '00000016687474703a2f2f3132372e302e302e313a383038332f0000000000000005',
    );
  });

  it.each([0, 1, 2])('reads back the metadata that it wrote in version %i', (version) => {
    expect(decodeMetadata(encodeMetadata(version, member))).toEqual(member);
  });

  it('refuses metadata that ends early, has no URL or a negative version', () => {
    const whole = encodeMetadata(2, member);
    expect(() => decodeMetadata(whole.subarray(0, 20))).toThrow(RangeError);
    expect(() => decodeMetadata(Buffer.from('0002ffff0000000000000005', 'hex'))).toThrow('no URL');
    expect(() => decodeMetadata(Buffer.from('ffff0001610000000000000005', 'hex'))).toThrow('version -1');
  });

  it('writes an assignment without single connectors, in the eager and the cooperative form', () => {
    const assignment = { leader: 'm', leaderUrl: 'u', configOffset: 7 };
    expect(encodeAssignment(0, assignment).toString('hex')).toBe(
      '0000' + '0000' + '00016d' + '000175' + '0000000000000007' + '00000000',
    );
    expect(encodeAssignment(2, assignment).toString('hex')).toBe(
      '0002' + '0000' + '00016d' + '000175' + '0000000000000007' + '00000000' + '00000000' + '00000000',
    );
  });
});
