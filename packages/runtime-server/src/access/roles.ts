import { type Role, type RoleRules, roles } from '../config/access-config.ts';

/** Who sent a request. */
export interface Caller {
  readonly name: string;
  /** Undefined: known, but may do nothing. */
  readonly role: Role | undefined;
}

/** Rules with it are about values that a token claims. */
const CLAIMED = 'role:';

/**
 * The highest role of a caller. Without any rule every caller may do everything, as in Kafka Connect. A name never stands for a claimed
 * value: issuers may let users choose their names.
 */
export function roleOf(rules: RoleRules, name: string, claimed: readonly string[] = []): Role | undefined {
  if (roles.every((role) => rules[role].length === 0)) return 'admin';
  const names = new Set(['*', ...claimed.map((value) => CLAIMED + value)]);
  if (!name.startsWith(CLAIMED)) names.add(name);
  return roles.findLast((role) => rules[role].some((rule) => names.has(rule)));
}

/** Whether a role includes another one. */
export function includesRole(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);
}
