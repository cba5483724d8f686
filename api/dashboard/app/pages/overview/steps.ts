// First steps from the demo to the user's own agent, number and call: existing records decide which steps are done.

export interface Found {
  /** The demo's records are as old as the account. */
  accountCreatedAt: string;
  isAdmin: boolean;
  calls: number;
  agents: readonly Dated[];
  businesses: readonly Dated[];
  campaigns: readonly Dated[];
  numbers: readonly Dated[];
  trunks: number;
  /** Calls over the account's own numbers. */
  ownCalls: number;
}

interface Dated {
  id: string;
  createdAt: string;
}

export type StepName = 'talk' | 'agent' | 'business' | 'campaign' | 'trunk' | 'number' | 'call';

export interface Step {
  name: StepName;
  isDone: boolean;
}

export function ownRecords<T extends Dated>(records: readonly T[], accountCreatedAt: string): T[] {
  return records.filter(({ createdAt }) => createdAt !== accountCreatedAt);
}

export function firstSteps(found: Found): Step[] {
  const hasOwn = (records: readonly Dated[]) => ownRecords(records, found.accountCreatedAt).length > 0;
  const steps: Step[] = [
    { name: 'talk', isDone: found.calls > 0 },
    { name: 'agent', isDone: hasOwn(found.agents) },
    { name: 'business', isDone: hasOwn(found.businesses) },
    { name: 'campaign', isDone: hasOwn(found.campaigns) },
    { name: 'trunk', isDone: found.trunks > 0 },
    { name: 'number', isDone: hasOwn(found.numbers) },
    { name: 'call', isDone: found.ownCalls > 0 },
  ];
  return steps.filter(({ name }) => (name === 'trunk' ? found.isAdmin : name !== 'talk' || found.campaigns.length > 0));
}
