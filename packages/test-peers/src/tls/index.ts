export type { KeyPair, TestAuthority } from './certificates.ts';
export {
  createAuthority,
  makeCertificates,
  makeExpiredCertificate,
  serverName,
} from './certificates.ts';
