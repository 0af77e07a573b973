export { type ParsedSql, parseSql } from './sql/parse-sql.ts';
