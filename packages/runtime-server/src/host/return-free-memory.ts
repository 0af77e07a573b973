import { createRequire } from 'node:module';

type Sqlite = typeof import('node:sqlite');

/**
 * Returns memory that is free in the C library to the system. glibc keeps free pages between pieces that are in use, which the sockets and
 * the log of a burst leave, until `malloc_trim` is called, and Node has no way to call it. SQLite has: it calls a function of a library by its name.
 * The argument, an address, is taken for the bytes to keep at the end of the heap, and the result, 1, for an error. Where there is no glibc, or no
 * `node:sqlite` that may load libraries, nothing happens. See decision 46.
 */
export function returnFreeMemory(): void {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as Sqlite;
    const database = new DatabaseSync(':memory:', { allowExtension: true });
    try {
      database.loadExtension('libc.so.6', 'malloc_trim');
    } finally {
      database.close();
    }
  } catch {
    // 1 says that something was returned; any other failure leaves the memory with the process, as before.
  }
}
