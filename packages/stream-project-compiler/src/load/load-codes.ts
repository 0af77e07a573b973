import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of files and of `.env` (10xx). */
export const loadCodes = {
  'project-file-missing': {
    code: 'LV1001',
    title: 'No project file',
    severity: 'error',
    fixed: true,
    doc: "A project's folder holds `stream_project.yml` with the sections `project` and `runtime`. Name the right folder, or write the file. Folders above are not searched.",
  },
  'project-file-twice': {
    code: 'LV1002',
    title: 'Two project files',
    severity: 'error',
    fixed: true,
    doc: 'The folder holds both `stream_project.yml` and `stream_project.yaml`. Only one can be meant; `stream_project.yml` is read. Remove the other.',
  },
  'file-unreadable': {
    code: 'LV1003',
    title: 'A file that cannot be read',
    severity: 'error',
    fixed: true,
    doc: 'A file or folder of the project could not be read: no permission, a link to nothing, gone since its folder was listed, or no regular file. The other files are still checked.',
  },
  'file-too-large': {
    code: 'LV1004',
    title: 'A file beyond the limit of size',
    severity: 'error',
    fixed: true,
    doc: 'A file of a project has at most 8 MiB, a file of variables at most 1 MiB. Such a file is hardly a definition; if it is one, split it.',
  },
  'project-too-large': {
    code: 'LV1005',
    title: 'A project beyond the limits of files',
    severity: 'error',
    fixed: true,
    doc: 'A project has at most 10,000 files with 64 MiB and 4,000,000 keys, values and signs in all, of which SQL has 1,000,000, in folders at most 64 deep. What lies beyond is not read. Usually a folder with other data lies within the project.',
  },
  'not-utf-8': {
    code: 'LV1006',
    title: 'A file that is not UTF-8',
    severity: 'error',
    fixed: true,
    doc: 'Files of a project are text in UTF-8. The place is that of the first wrong byte. Save the file as UTF-8; UTF-16 is written by some editors on Windows.',
  },
  'link-not-followed': {
    code: 'LV1007',
    title: 'A symbolic link that leads elsewhere',
    severity: 'warning',
    doc: 'A symbolic link leads outside of the project, or back to a folder that holds it. It is not followed: a project is what lies in its folder.',
  },
  'file-name-case': {
    code: 'LV1008',
    title: 'Files whose names differ in case only',
    severity: 'warning',
    doc: 'Two paths differ in the case of letters only. On disks that do not tell case apart one of them vanishes. Rename one.',
  },
  'folder-not-read': {
    code: 'LV1080',
    title: 'A file or folder that is nearly one of the project',
    severity: 'warning',
    doc: 'Definitions are read from `stream_project.yml`, and from YAML files in the folders `sources`, `models`, `tests` and `exposures`. A folder or file of a similar name that has definitions is not read, so what it defines is missing. Rename it, or move the file into the folder.',
  },
  'env-line': {
    code: 'LV1021',
    title: 'A line of .env that sets nothing',
    severity: 'warning',
    doc: 'A line of `.env` has the form `NAME=value`, with a name of letters, digits and `_`. Other lines are ignored.',
  },
  'env-duplicate': {
    code: 'LV1022',
    title: 'A variable that .env sets twice',
    severity: 'warning',
    doc: 'The last value counts, as in a shell. Remove the others.',
  },
  'env-quote': {
    code: 'LV1023',
    title: 'A quote in .env that does not end',
    severity: 'error',
    fixed: true,
    doc: 'A value that begins with a quote ends with the same quote; between them it may span lines. The variable stays unset.',
  },
  'env-character': {
    code: 'LV1024',
    title: 'A character that .env must not hold',
    severity: 'error',
    fixed: true,
    doc: 'Control characters other than tabs and line ends are no part of a value. The variable stays unset.',
  },
  'env-permissions': {
    code: 'LV1025',
    title: 'A secret in a file of variables that others can read',
    severity: 'warning',
    doc: '`.env` sets a variable whose name is that of a secret, such as `DB_PASSWORD`, and its mode lets other users of the machine read it. Run `chmod 600 .env`.',
  },
} as const satisfies CodeTable;
