import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of files and of `.env` (10xx). */
export const loadCodes = {
  'project-file-missing': {
    code: 'LV1001',
    title: 'Missing project file',
    severity: 'error',
    fixed: true,
    doc: 'The folder of a project contains `stream_project.yml` with the sections `project` and `runtime`. Name the right folder, or write the file. Parent folders are not searched.',
  },
  'project-file-twice': {
    code: 'LV1002',
    title: 'Two project files',
    severity: 'error',
    fixed: true,
    doc: 'The folder contains both `stream_project.yml` and `stream_project.yaml`. Only one can be meant; `stream_project.yml` is read. Remove the other.',
  },
  'file-unreadable': {
    code: 'LV1003',
    title: 'Unreadable file',
    severity: 'error',
    fixed: true,
    doc: 'A file or folder of the project could not be read: no permission, a broken link, removed since its folder was listed, or not a regular file. The other files are still checked.',
  },
  'file-too-large': {
    code: 'LV1004',
    title: 'File too large',
    severity: 'error',
    fixed: true,
    doc: 'A file of a project has at most 8 MiB, a file of variables at most 1 MiB. Such a file is unlikely to be a definition; if it is, split it.',
  },
  'project-too-large': {
    code: 'LV1005',
    title: 'Project too large',
    severity: 'error',
    fixed: true,
    doc: 'A project has at most 10,000 files, 64 MiB of text, and folders 64 deep. All files together have at most 4,000,000 YAML keys, values and punctuation marks (such as `:` and `-`), and their SQL at most 1,000,000 words and symbols. What is beyond a limit is not read. Usually the project contains a folder with other data.',
  },
  'not-utf-8': {
    code: 'LV1006',
    title: 'File that is not UTF-8',
    severity: 'error',
    fixed: true,
    doc: 'Files of a project are text in UTF-8. The place is that of the first invalid byte. Save the file as UTF-8; UTF-16 is written by some editors on Windows.',
  },
  'link-not-followed': {
    code: 'LV1007',
    title: 'Symbolic link out of the project',
    severity: 'warning',
    doc: 'A symbolic link leads outside of the project, or back to a folder that contains it. It is not followed: a project consists of the files in its folder.',
  },
  'file-name-case': {
    code: 'LV1008',
    title: 'File names that differ only in case',
    severity: 'warning',
    doc: 'Two paths differ only in the case of letters. On case-insensitive file systems one of them is lost. Rename one.',
  },
  'folder-not-read': {
    code: 'LV1080',
    title: 'Misspelled file or folder',
    severity: 'warning',
    doc: 'Definitions are read from `stream_project.yml`, and from YAML files in the folders `sources`, `models`, `tests` and `exposures`. A folder or file of a similar name that has definitions is not read, so what it defines is missing. Rename it, or move the file into the folder.',
  },
  'env-line': {
    code: 'LV1021',
    title: 'Invalid line in .env',
    severity: 'warning',
    doc: 'A line of `.env` has the form `NAME=value`, with a name of letters, digits and `_`. Other lines are ignored.',
  },
  'env-duplicate': {
    code: 'LV1022',
    title: 'Duplicate variable in .env',
    severity: 'warning',
    doc: 'The last value applies, as in a shell. Remove the others.',
  },
  'env-quote': {
    code: 'LV1023',
    title: 'Unterminated quote in .env',
    severity: 'error',
    fixed: true,
    doc: 'A value that begins with a quote ends with the same quote; between them it may span lines. The variable stays unset.',
  },
  'env-character': {
    code: 'LV1024',
    title: 'Invalid character in .env',
    severity: 'error',
    fixed: true,
    doc: 'Control characters other than tabs and line ends are not allowed in a value. The variable stays unset.',
  },
  'env-permissions': {
    code: 'LV1025',
    title: 'Secret in .env that other users can read',
    severity: 'warning',
    doc: '`.env` sets a variable whose name is that of a secret, such as `DB_PASSWORD`, and its mode lets other users of the machine read it. Run `chmod 600 .env`.',
  },
} as const satisfies CodeTable;
