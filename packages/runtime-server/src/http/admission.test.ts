import { describe, expect, it } from 'vitest';
import { type AdmissionRequest, admit } from './admission.ts';

const rules = {
  allowedHosts: new Set(['connect.example']),
  allowedOrigins: new Set(['https://console.example']),
  allowedMethods: ['GET', 'POST', 'HEAD'],
};
const request = (changes: Partial<AdmissionRequest>): AdmissionRequest => ({
  method: 'GET',
  scheme: 'http',
  host: 'localhost:8083',
  origin: undefined,
  fetchSite: undefined,
  contentType: undefined,
  forwardedHost: undefined,
  requestedWith: undefined,
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

  const evil = 'https://evil.example';

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'text/plain; application/json'])(
    'refuses a POST of a foreign page with content type %s, which needs no preflight',
    (contentType) => {
      for (const from of [{ origin: evil }, { origin: 'null' }, { fetchSite: 'cross-site' }]) {
        expect(() => admit(request({ method: 'POST', contentType, ...from }), rules)).toThrow(
          expect.objectContaining({ status: 403, message: expect.stringContaining('other web sites') }),
        );
      }
    },
  );

  it('answers everything else of a foreign page without CORS headers, as user interfaces hand it on', () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect(admit(request({ method, origin: evil, fetchSite: 'cross-site' }), rules)).toEqual({});
    }
    expect(admit(request({ method: 'POST', origin: evil, contentType: 'application/json' }), rules)).toEqual(
      {},
    );
    expect(admit(request({ method: 'OPTIONS', origin: evil, preflight: true }), rules)).toEqual({});
  });

  it('lets a page of the same origin send what it likes, also through a proxy that changes the host', () => {
    const own = { method: 'POST', origin: 'http://localhost:8083' } as const;
    expect(admit(request(own), rules)).toEqual({});
    expect(admit(request({ ...own, scheme: 'https', origin: 'https://localhost:8083' }), rules)).toEqual({});
    expect(() => admit(request({ ...own, scheme: 'https' }), rules)).toThrow('other web sites');
    const proxied = { method: 'POST', origin: 'https://ui.example', fetchSite: 'same-origin' } as const;
    expect(admit(request(proxied), rules)).toEqual({});
    const forwarded = { ...proxied, fetchSite: undefined };
    expect(admit(request({ ...forwarded, forwardedHost: 'ui.example' }), rules)).toEqual({});
    expect(admit(request({ ...forwarded, requestedWith: 'XMLHttpRequest' }), rules)).toEqual({});
    for (const origin of ['null', evil]) {
      expect(() => admit(request({ ...forwarded, origin, forwardedHost: 'ui.example' }), rules)).toThrow(
        'other web sites',
      );
    }
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
