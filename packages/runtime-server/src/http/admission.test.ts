import { describe, expect, it } from 'vitest';
import { type AdmissionRequest, admit } from './admission.ts';

const rules = {
  allowedHosts: new Set(['connect.example']),
  allowedOrigins: new Set(['https://console.example']),
  allowedMethods: ['GET', 'POST', 'HEAD'],
};
const request = (changes: Partial<AdmissionRequest>): AdmissionRequest => ({
  method: 'GET',
  host: 'localhost:8083',
  origin: undefined,
  fetchSite: undefined,
  preflight: false,
  ...changes,
});

describe('admit', () => {
  it.each([
    'localhost',
    'localhost:8083',
    '127.0.0.1:8083',
    '[::1]:8083',
    '10.1.2.3',
    'kafka-connect:8083',
    'connect.example',
    'CONNECT.example:80',
    'worker.svc.cluster.local:8083',
  ])('lets the host %s in', (host) => {
    expect(admit(request({ host }), rules)).toEqual({});
  });

  it.each(['evil.example', 'localhost.evil.example:8083', '127.0.0.1.nip.io'])(
    'refuses the host %s',
    (host) => {
      expect(() => admit(request({ host }), rules)).toThrow(expect.objectContaining({ status: 403 }));
    },
  );

  it.each(['a:99999', 'a b', 'a/b', '', undefined, 'user@a'])('calls the host %s malformed', (host) => {
    expect(() => admit(request({ host }), rules)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('refuses a foreign origin and a cross-site fetch, whatever the method', () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(() => admit(request({ method, origin: 'https://evil.example' }), rules)).toThrow(
        'other web sites',
      );
      expect(() => admit(request({ method, origin: 'null' }), rules)).toThrow('other web sites');
      expect(() => admit(request({ method, fetchSite: 'cross-site' }), rules)).toThrow('other web sites');
    }
  });

  it('lets the worker call itself', () => {
    expect(admit(request({ origin: 'http://localhost:8083', fetchSite: 'same-origin' }), rules)).toEqual({});
  });

  it('answers an allowed origin by name, and its preflight with methods', () => {
    const origin = 'https://console.example';
    expect(admit(request({ origin, fetchSite: 'cross-site' }), rules)).toEqual({
      'access-control-allow-origin': origin,
      vary: 'Origin',
    });
    expect(admit(request({ origin, preflight: true }), rules)).toMatchObject({
      'access-control-allow-methods': 'GET,POST,HEAD',
    });
  });
});
