// The state of the wizard: kept with the account, so that it can be left and gone on with on another machine.
import { useState } from 'preact/hooks';
import type { Account } from '../../api-types.ts';
import { call } from '../../client.ts';
import { words } from '../../words/words.ts';

export type Setup = NonNullable<Account['setup']>;
export type SetupStep = Setup['step'];

export const STEPS = [
  ['website', words('Web site')],
  ['facts', words('Your business')],
  ['voice', words('Voice')],
  ['talk', words('Talk to it')],
  ['number', words('Number')],
] as const satisfies ReadonlyArray<readonly [SetupStep, string]>;

const NEW_SETUP: Setup = {
  step: 'website',
  skipped: [],
  website: null,
  language: null,
  country: null,
  businessId: null,
  agentId: null,
  campaignId: null,
};

/** After `step` was done, or skipped. */
export function passed(setup: Setup, step: SetupStep, { isSkipped = false } = {}): Setup {
  const at = STEPS.findIndex(([name]) => name === step);
  const others = setup.skipped.filter((each) => each !== step);
  return { ...setup, skipped: isSkipped ? [...others, step] : others, step: STEPS[at + 1]?.[0] ?? 'done' };
}

interface SetupState {
  setup: Setup;
  /** Shown at once; what cannot be saved is only not remembered elsewhere. */
  keep: (setup: Setup) => void;
}

export function useSetup(account: Account): SetupState {
  const [setup, setSetup] = useState(account.setup ?? NEW_SETUP);
  const keep = (next: Setup) => {
    setSetup(next);
    void call('updateAccount', { body: { setup: next } }).catch(() => undefined);
  };
  return { setup, keep };
}
