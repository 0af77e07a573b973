import type { GroupAssignment } from '../../platform/group-membership.ts';

/** Which connectors and tasks this worker is to run. Nothing before the first assignment. */
export class Assignment {
  #current: GroupAssignment | undefined;

  set(assignment: GroupAssignment | undefined): void {
    this.#current = assignment;
  }

  connector(name: string): boolean {
    const connectors = this.#current?.connectors ?? [];
    return connectors === 'all' || connectors.includes(name);
  }

  task(name: string, task: number): boolean {
    const tasks = this.#current?.tasks ?? [];
    return tasks === 'all' || tasks.some((one) => one.connector === name && one.task === task);
  }

  /** Whether anything of a connector is to run here. */
  any(name: string): boolean {
    const tasks = this.#current?.tasks ?? [];
    return this.connector(name) || tasks === 'all' || tasks.some((one) => one.connector === name);
  }
}
