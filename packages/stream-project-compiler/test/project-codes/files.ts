import type { DiagnosticName } from '../../src/index.ts';
import { projectFile } from '../project-support/run-project.ts';
import { type CodeFixture, environment, fragment } from './code-fixture.ts';

/** Codes of loading. */
export const fileFixtures: Readonly<Partial<Record<DiagnosticName, readonly CodeFixture[]>>> = {
  'project-file-missing': [
    {
      files: { 'models/m.yml': 'models: []\n' },
      shows: 'stream_project.yml:1:1  error  LV1001  the folder has no file "stream_project.yml"',
    },
  ],
  'project-file-twice': [
    {
      files: { 'stream_project.yml': projectFile, 'stream_project.yaml': projectFile },
      shows:
        'stream_project.yaml:1:1  error  LV1002  the folder has both "stream_project.yml" and "stream_project.yaml", only the first is read',
    },
  ],
  'file-unreadable': [
    {
      files: { 'stream_project.yml': { kind: 'folder' } },
      shows: 'stream_project.yml:1:1  error  LV1003  "stream_project.yml" is not a regular file',
    },
    {
      files: { 'stream_project.yml': projectFile, 'models/a.yml': { unreadable: 'permission denied' } },
      shows: 'models/a.yml:1:1  error  LV1003  "models/a.yml" cannot be read: permission denied',
    },
    {
      files: {
        'stream_project.yml': projectFile,
        'models/a': { unreadable: 'permission denied', folder: true },
      },
      shows: 'models/a:1:1  error  LV1003  the folder "models/a" cannot be read: permission denied',
    },
    {
      files: { 'stream_project.yml': projectFile, 'models/a.yml': { kind: 'other' } },
      shows: 'models/a.yml:1:1  error  LV1003  "models/a.yml" is not a regular file',
    },
    {
      files: { 'stream_project.yml': projectFile, 'models/a.yml': { link: 'models/a.yml' } },
      shows:
        'models/a.yml:1:1  error  LV1003  the link "models/a.yml" cannot be followed: its links lead back to it',
    },
    {
      files: { '': { unreadable: 'it does not exist' } },
      shows: '.:1:1  error  LV1003  the folder of the project cannot be read: it does not exist',
    },
  ],
  'file-too-large': [
    {
      files: fragment(' '.repeat(9 * 1024 * 1024)),
      shows: 'models/m.yml:1:1  error  LV1004  "models/m.yml" is larger than 8 MiB',
    },
    {
      files: environment('#'.repeat(2 * 1024 * 1024)),
      shows: '.env:1:1  error  LV1004  ".env" is larger than 1 MiB',
    },
  ],
  'project-too-large': [
    {
      files: Object.fromEntries([
        ['stream_project.yml', projectFile],
        ...Array.from({ length: 10_001 }, (_, index) => [`models/m${index}.yml`, '']),
      ]),
      shows: '.:1:1  error  LV1005  the project has more than 10000 files, the rest is not read',
    },
    {
      files: { 'stream_project.yml': projectFile, [`models/${'d/'.repeat(70)}m.yml`]: '' },
      shows: 'error  LV1005  folders are nested deeper than 64',
    },
    {
      files: Object.fromEntries([
        ['stream_project.yml', projectFile],
        ...Array.from({ length: 9 }, (_, index) => [`models/m${index}.yml`, `# ${' '.repeat(8_000_000)}`]),
      ]),
      shows: 'error  LV1005  the files of the project have more than 64 MiB, the rest is not read',
    },
    {
      files: Object.fromEntries([
        ['stream_project.yml', projectFile],
        ...Array.from({ length: 2 }, (_, index) => [
          `models/m${index}.yml`,
          `models: [{name: m${index}, sql: "SELECT ${'a + '.repeat(300_000)}a"}]`,
        ]),
      ]),
      shows:
        'models/m1.yml:1:1  error  LV1005  the files of the project have more than 4,000,000 keys, values and punctuation marks, or SQL of more than 1,000,000, the rest is not read',
    },
  ],
  'not-utf-8': [
    {
      files: {
        'stream_project.yml': projectFile,
        'models/m.yml': Uint8Array.from([0x61, 0x0a, 0x62, 0xff, 0x63]),
      },
      shows:
        'models/m.yml:2:2  error  LV1006  "models/m.yml" is not UTF-8: the byte at line 2, column 2 is wrong',
    },
    {
      files: { 'stream_project.yml': projectFile, 'models/m.yml': Uint8Array.from([0xff, 0xfe, 0x61, 0]) },
      shows: 'models/m.yml:1:1  error  LV1006  "models/m.yml" is UTF-16, expected UTF-8',
    },
  ],
  'link-not-followed': [
    {
      files: { 'stream_project.yml': projectFile, 'models/a.yml': { link: '/etc/passwd' } },
      shows:
        'models/a.yml:1:1  warning  LV1007  the link "models/a.yml" leads outside of the project and is not followed',
    },
    {
      files: { 'stream_project.yml': projectFile, 'models/b/up': { link: 'models' }, 'models/m.yml': '' },
      shows:
        'models/b/up:1:1  warning  LV1007  the link "models/b/up" leads to a folder that contains it and is not followed',
    },
  ],
  'file-name-case': [
    {
      files: { 'stream_project.yml': projectFile, 'models/A.yml': '', 'models/a.yml': '' },
      shows: 'models/a.yml:1:1  warning  LV1008  "models/a.yml" and "models/A.yml" differ only in case',
    },
  ],
  'env-line': [
    {
      files: environment('A=1\nA B=secret\n'),
      shows: '.env:2:1  warning  LV1021  the line sets no variable, expected NAME=value\n1 warning',
    },
    {
      files: environment('A="1" 2\n'),
      shows: '.env:1:1  warning  LV1021  text follows the quoted value of "A", the line is ignored',
    },
  ],
  'folder-not-read': [
    {
      files: { 'stream_project.yml': projectFile, 'model/m.yml': 'models: []\n' },
      shows:
        'model:1:1  warning  LV1080  the folder "model" is not read, definitions are in "stream_project.yml" and in the folders "sources", "models", "tests", "exposures" — rename it to "models"',
    },
    {
      files: { 'stream_project.yml': projectFile, 'models.yml': 'models: []\n' },
      shows: 'the file "models.yml" is not read, definitions are in',
    },
    {
      files: { 'stream_project.yml': projectFile, 'Sources/a.yaml': 'sources: []\n' },
      shows: 'the folder "Sources" is not read',
    },
  ],
  'env-duplicate': [
    {
      files: environment('A=1\nB=2\nA=3\n'),
      shows: '.env:3:1  warning  LV1022  duplicate variable "A", the last value applies',
    },
  ],
  'env-quote': [
    {
      files: environment('A="x\nB=1\n'),
      shows: '.env:1:1  error  LV1023  unterminated quote in the value of "A"',
    },
  ],
  'env-character': [
    {
      files: environment('A=x\u0000y\n'),
      shows: '.env:1:1  error  LV1024  the value of "A" contains a control character',
    },
  ],
  'env-permissions': [
    {
      files: {
        'stream_project.yml': projectFile,
        '.env': { text: 'A=1\nDB_PASSWORD=hunter2\n', mode: 0o644 },
      },
      shows:
        '.env:1:1  warning  LV1025  ".env" contains the secret "DB_PASSWORD", but other users can read the file — run chmod 600 .env',
    },
  ],
};
