/** What each role may do, in words; each may also do what those before it may. */
export const ROLES = {
  reader: "reads boards, samples and snapshots, and may freeze and fork boards",
  submitter: "hands in models",
  "task-owner": "sets the datasets, weights and budgets of tasks",
  admin: "looks after users and everybody's models",
} as const;

export type Role = keyof typeof ROLES;

const ORDER = Object.keys(ROLES) as Role[];

/** Whether somebody of this role may do what `wanted` may. */
export function atLeast(role: string | undefined, wanted: Role): boolean {
  return ORDER.indexOf(role as Role) >= ORDER.indexOf(wanted);
}
